// The numbers that the page of chapter 01 works out on paper, and the parts of its program.
#include <doctest/doctest.h>

#include <cmath>

#include "autograd/grad.hpp"
#include "autograd/gradcheck.hpp"
#include "autograd/ops.hpp"
#include "tensor/random.hpp"
#include "tutorials/01_numbers_and_gradients/kept.hpp"
#include "tutorials/01_numbers_and_gradients/softmax_check.hpp"
#include "tutorials/01_numbers_and_gradients/tanh_derivatives.hpp"
#include "tutorials/01_numbers_and_gradients/tape.hpp"

using namespace attend;
using namespace attend::chapter_01;

TEST_CASE("on the diamond at a = 2 the ordered walk and the paths find 44, the naive walk 72") {
  Tape tape;
  const Size a = tape.leaf(2), d = diamond(tape, a);
  CHECK(tape.numbers[static_cast<std::size_t>(d)].value == 28);
  CHECK(ordered_walk(tape, d, a).gradient == 44);
  CHECK(path_walk(tape, d, a).gradient == 44);
  CHECK(naive_walk(tape, d, a).gradient == 72);
}

TEST_CASE("paths double with each diamond of a tower, and the ordered walk comes to each number once") {
  Size before = 0;
  for (Size height = 1; height <= 10; ++height) {
    Tape tape;
    const Size a = tape.leaf(2), top = tower(tape, a, height);
    CHECK(ordered_walk(tape, top, a).gradient == 1);
    CHECK(ordered_walk(tape, top, a).visits == static_cast<Size>(tape.numbers.size()));
    const Walk paths = path_walk(tape, top, a);
    CHECK(paths.gradient == 1);
    if (height > 1) CHECK(paths.visits > 2 * before);
    before = paths.visits;
  }
}

TEST_CASE("the worked example of the page: cotangents 1, 7 and 4, 11, 44") {
  const Var a = Var::parameter(Tensor::from({2}, {}, DType::float64));
  const Var b = a * a, c = b + 3.0, d = b * c;
  const Vars gradients = grad(d, {d, c, b, a});
  const double expected[] = {1, 4, 11, 44};
  for (std::size_t i = 0; i < 4; ++i) CHECK(gradients[i].item() == expected[i]);
}

TEST_CASE("the cotangent of a row that two rows used is their sum") {
  const Var x = Var::parameter(Tensor::from({1, 2, 3, 4, 5, 6}, {2, 3})),
            w = Var::parameter(Tensor::from({10, 20, 30}, {3}));
  CHECK(grad(sum(x * w), {w})[0].value().to_vector() == std::vector<double>{5, 7, 9});
}

TEST_CASE("a rule keeps what it names") {
  for (const Rule& rule : rules()) {
    CAPTURE(rule.op);
    CHECK(std::fabs(tensors_kept(rule) - rule.expected) < 1e-3);
  }
}

TEST_CASE("the polynomials of the derivatives of tanh are those of the page") {
  CHECK(chapter_01::text(by_hand(1)) == "1 − t²");
  CHECK(chapter_01::text(by_hand(2)) == "−2t + 2t³");
  CHECK(chapter_01::text(by_hand(3)) == "−2 + 8t² − 6t⁴");
  CHECK(value(by_hand(3), 0.5) == -2 + 8 * 0.25 - 6 * 0.0625);
}

TEST_CASE("the engine's derivatives of tanh are the polynomials, to the sixth order") {
  const Tensor x = Tensor::from({-2, -0.5, 0, 0.1, 3}, {5}, DType::float64);
  const std::vector<Derivative> engine = by_engine(x, 6);
  for (int order = 0; order <= 6; ++order) {
    for (std::size_t i = 0; i < 5; ++i) {
      const double exact = value(by_hand(order), std::tanh(x.at({static_cast<Size>(i)})));
      CHECK(std::fabs(engine[static_cast<std::size_t>(order)].values[i] - exact) < 1e-11);
    }
  }
}

TEST_CASE("under a cotangent of ones a softmax rule that is 7 times too large passes, under a random one it does not") {
  Rng rng(3);
  const Tensor x = rng.normal({2, 4}, 0, 1, DType::float64), ones = Tensor::ones({2, 4}, DType::float64);
  const Tensor random = rng.normal({2, 4}, 0, 1, DType::float64);
  const auto check = [&](double factor, const Tensor& cotangent) {
    return compare([&](const Var& v) { return softmax_with_rule_times(v, factor); }, x, cotangent).passes();
  };
  CHECK(check(1, ones));
  CHECK(check(7, ones));
  CHECK(check(1, random));
  CHECK(!check(7, random));
  CHECK(!gradcheck("wrong", [](const Vars& v) { return softmax_with_rule_times(v[0], 7); }, {x}).passed());
}
