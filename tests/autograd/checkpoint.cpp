#include "autograd/checkpoint.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "autograd/grad.hpp"
#include "autograd/gradcheck.hpp"
#include "autograd/history.hpp"
#include "autograd/ops.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Var leaf(const Shape& shape, std::uint64_t seed) { return Var::parameter(random(shape, DType::float64, seed)); }

/// Element by element the same bits.
void check_identical(const Vars& found, const Vars& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].shape() == expected[i].shape());
    CHECK((found[i].value().to_vector() == expected[i].value().to_vector()));
  }
}

Var dropped(const Var& x, Rng* rng) { return x * Var(kernel::cast(rng->bernoulli(x.shape(), 0.5), x.dtype())) * 2.0; }

/// Two inputs, three uses, random numbers, and a parameter that is no input.
struct Block {
  Var w = leaf({4, 4}, 3);
  Var operator()(const Vars& xs, Rng* rng) const { return tanh(dropped(matmul(xs[0], w), rng) + xs[1] * xs[0]); }
};

const auto plain = [](const auto& f, const Vars& xs, Rng* rng) { return f(xs, rng); };
const auto checkpointed = [](const auto& f, const Vars& xs, Rng* rng) { return checkpoint(f, xs, rng); };

}  // namespace

TEST_CASE("values and gradients of a checkpoint are bit for bit those of the plain run, with dropout (O-51)") {
  const Block block;
  const Vars all = {leaf({3, 4}, 1), leaf({3, 4}, 2), block.w};
  const Var gy(random({3, 4}, DType::float64, 9));
  Rng one(5), other(5);
  const Var y = plain(block, {all[0], all[1]}, &one), z = checkpointed(block, {all[0], all[1]}, &other);
  check_identical({z}, {y});
  check_identical(grad(z, all, gy), grad(y, all, gy));
}

TEST_CASE("the gradient of a checkpoint of dropout is its output where the input is 1 (O-51)") {
  Rng rng(2);
  const Var x = Var::parameter(Tensor::ones({1000}, DType::float64));
  const Var y = checkpoint([](const Vars& xs, Rng* own) { return dropped(xs[0], own); }, {x}, &rng);
  check_identical(grad(y, {x}, Var(Tensor::ones({1000}, DType::float64))), {y});
}

TEST_CASE("the random stream goes on behind a checkpoint as behind the plain run, backward pass or not") {
  const Block block;
  const Vars xs = {leaf({3, 4}, 1), leaf({3, 4}, 2)};
  Rng one(5), other(5);
  plain(block, xs, &one);
  const Var y = checkpointed(block, xs, &other);
  CHECK(one == other);
  grad(sum(y), xs);
  CHECK(one == other);
}

TEST_CASE("what a function captures gets its gradient even where no input needs one") {
  const Var w = leaf({4, 2}, 1), x = random({3, 4}, DType::float64, 2);
  const auto f = [&](const Vars& xs) { return sum(tanh(matmul(xs[0], w))); };
  const Var y = checkpoint(f, {x});
  REQUIRE(y.needs_grad());
  check_identical(grad(y, {w}), grad(f({x}), {w}));
  check_identical(grad(checkpoint([&](const Vars&) { return f({x}); }, {}), {w}), grad(f({x}), {w}));
}

TEST_CASE("what a function captures may be the middle of a history") {
  const Var a = leaf({3}, 1), b = exp(a);
  const auto f = [&](const Vars& xs) { return sum(xs[0] * b); };
  check_identical(grad(checkpoint(f, {a}), {a, b}), grad(f({a}), {a, b}));
}

TEST_CASE("an input may be captured too, to order 2") {
  const Var x = leaf({3}, 1);
  const auto f = [&](const Vars& xs) { return sum(xs[0] * xs[0] * x); };
  const Var gx = grad(checkpoint(f, {x}), {x}, {}, true)[0];
  check_agree(gx, 3.0 * x * x, 1e-14);
  check_agree(grad(sum(gx), {x})[0], 6.0 * x, 1e-14);
}

TEST_CASE("a function may return an input, something captured, or a constant") {
  const Var x = leaf({3}, 1), w = leaf({3}, 2);
  const Var gy = random({3}, DType::float64, 3);
  check_identical(grad(checkpoint([](const Vars& xs) { return xs[0]; }, {x}), {x}, gy), {gy});
  check_identical(grad(checkpoint([&](const Vars&) { return w; }, {x}), {w, x}, gy),
                  {gy, Var(Tensor::zeros({3}, DType::float64))});
  CHECK_FALSE(checkpoint([](const Vars&) { return Var(Tensor::ones({3})); }, {x}).needs_grad());
}

TEST_CASE("nothing is recorded where nobody wants a derivative, and f runs once") {
  int runs = 0;
  const auto f = [&](const Vars& xs) { return ++runs, exp(xs[0]); };
  CHECK_FALSE(checkpoint(f, {Var(random({3}))}).needs_grad());
  {
    const Recording off(false);
    CHECK_FALSE(checkpoint(f, {leaf({3}, 1)}).needs_grad());
  }
  CHECK(runs == 2);
}

TEST_CASE("f runs once forward and once backward") {
  int runs = 0;
  bool again = false;
  const auto f = [&](const Vars& xs) {
    again = recomputing();
    return ++runs, sum(exp(xs[0]));
  };
  const Var x = leaf({3}, 1), y = checkpoint(f, {x});
  CHECK(runs == 1);
  CHECK_FALSE(again);
  grad(y, {x});
  CHECK(runs == 2);
  CHECK(again);
  CHECK_FALSE(recomputing());
}

TEST_CASE("of several results some, one or none may be used") {
  const auto f = [](const Vars& xs, Rng*) { return Vars{exp(xs[0]), xs[0] * xs[1], tanh(xs[1])}; };
  const Vars xs = {leaf({3}, 1), leaf({3}, 2)};
  const Vars found = checkpoint_outputs(f, xs, nullptr), expected = f(xs, nullptr);
  check_identical(found, expected);
  check_identical(grad(sum(found[0]), xs), grad(sum(expected[0]), xs));
  check_identical(grad(sum(found[1] * found[2]), xs), grad(sum(expected[1] * expected[2]), xs));
  CHECK(checkpoint_outputs([](const Vars&, Rng*) { return Vars(); }, xs, nullptr).empty());
}

TEST_CASE("checkpoints nest, and each level runs once more") {
  int runs = 0;
  const Var w = leaf({4, 4}, 3), x = leaf({3, 4}, 1);
  const auto inner = [&](const Vars& xs, Rng* rng) { return ++runs, tanh(dropped(matmul(xs[0], w), rng)); };
  const auto nested = [&](const Vars& xs, Rng* rng) { return exp(checkpoint(inner, {sin(xs[0])}, rng)) * xs[0]; };
  const auto flat = [&](const Vars& xs, Rng* rng) { return exp(inner({sin(xs[0])}, rng)) * xs[0]; };
  Rng one(5), other(5);
  const Var gy = random({3, 4}, DType::float64, 9);
  const Vars expected = grad(flat({x}, &one), {x, w}, gy);
  runs = 0;
  check_identical(grad(checkpoint(nested, {x}, &other), {x, w}, gy), expected);
  CHECK(runs == 3);
}

TEST_CASE("the derivatives of a checkpoint agree with difference quotients to order 2, nested and by capture") {
  const std::vector<Tensor> inputs = {random({2, 3}, DType::float64, 1), random({3, 3}, DType::float64, 2)};
  const auto f = [](const Vars& xs) {
    const auto inner = [w = xs[1]](const Vars& in) { return tanh(matmul(in[0], w)); };
    return checkpoint([inner](const Vars& in) { return exp(checkpoint(inner, {in[0]})) * in[0]; }, {xs[0]});
  };
  const GradcheckReport report = gradcheck("checkpoint", f, inputs);
  CHECK_MESSAGE(report.passed(), report.text());
}

TEST_CASE("derivatives of order 2 are those of the plain run, to the order in which they are added up") {
  const Var x = leaf({3}, 1);
  const auto f = [](const Vars& xs) { return sum(tanh(xs[0]) * exp(xs[0])); };
  const auto twice = [&](const Var& y) { return grad(sum(grad(y, {x}, {}, true)[0] * x), {x})[0]; };
  check_agree(twice(checkpoint(f, {x})), twice(f({x})), 1e-13);
}

TEST_CASE("a parameter that was put in the place of another between forward and backward is an error") {
  Var w = leaf({3}, 2);
  const Var x = leaf({3}, 1), before = w;
  const Var y = checkpoint([&w](const Vars& xs) { return sum(xs[0] * w); }, {x});
  w = leaf({3}, 4);
  check_throws_with([&] { grad(y, {x, before}); }, {"checkpoint: ", "other Vars", "1 against 1"});
  CHECK_FALSE(recomputing());
  CHECK(recording());
  w = before;
  check_identical(grad(y, {x}), {before});
}

TEST_CASE("an empty function, undefined inputs and undefined results are refused") {
  const Var x = leaf({2}, 1);
  check_throws_with([&] { checkpoint(std::function<Var(const Vars&)>(), {x}); }, {"checkpoint: ", "empty"});
  check_throws_with([&] { checkpoint(std::function<Var(const Vars&, Rng*)>(), {x}, nullptr); },
                    {"checkpoint: ", "empty"});
  check_throws_with([&] { checkpoint_outputs({}, {x}, nullptr); }, {"checkpoint: ", "empty"});
  const auto first = [](const Vars& xs) { return exp(xs[0]); };
  check_throws_with([&] { checkpoint(first, {x, Var()}); }, {"checkpoint: ", "input 1 of 2", "undefined"});
  check_throws_with([&] { checkpoint([](const Vars&) { return Var(); }, {x}); },
                    {"checkpoint: ", "result 0 of 1", "undefined"});
}

TEST_CASE("a function that throws in its second run leaves everything as it was") {
  bool bad = false;
  const Var x = leaf({3}, 1);
  const auto f = [&](const Vars& xs) { return bad ? throw std::runtime_error("again") : sum(exp(xs[0])); };
  const Var y = checkpoint(f, {x});
  bad = true;
  CHECK_THROWS_AS(grad(y, {x}), std::runtime_error);
  CHECK_FALSE(recomputing());
  CHECK(recording());
}

TEST_CASE("a checkpoint leaves nothing alive, and remembers its inputs alone (O-06)") {
  const Counts before;
  {
    const Var x = leaf({100}, 1);
    const Var y = checkpoint([](const Vars& xs) { return exp(exp(exp(xs[0]) * 0.1) * 0.1); }, {x});
    CHECK(live().blocks == before.blocks + 2);  // x and y
    CHECK(live().nodes == before.nodes + 2);
    grad(sum(y), {x});
    const Vars first = grad(sum(y), {x}, {}, true);
    grad(sum(first[0]), {x});
  }
  check_nothing_left(before);
}

TEST_CASE("a chain in segments is the chain") {
  std::vector<Var> weights;
  std::vector<ChainLayer> layers;
  for (std::uint64_t i = 0; i < 7; ++i) {
    weights.push_back(leaf({4, 4}, i));
    layers.push_back([w = weights.back()](const Var& x, Rng* rng) { return tanh(dropped(matmul(x, w), rng)); });
  }
  Vars all = weights;
  all.push_back(leaf({3, 4}, 11));
  const Var gy = random({3, 4}, DType::float64, 9);
  Rng rng(5);
  Var y = all.back();
  for (const ChainLayer& layer : layers) y = layer(y, &rng);
  const Vars expected = grad(y, all, gy);
  for (Size segments : {1, 2, 3, 5, 7}) {
    CAPTURE(segments);
    Rng own(5);
    const Var z = checkpoint_sequential(layers, all.back(), segments, &own);
    check_identical({z}, {y});
    check_identical(grad(z, all, gy), expected);
    CHECK(own == rng);
  }
  check_throws_with([&] { checkpoint_sequential(layers, y, 0); }, {"checkpoint_sequential: ", "0 segments", "7"});
  check_throws_with([&] { checkpoint_sequential(layers, y, 8); }, {"checkpoint_sequential: ", "8 segments", "7"});
}

TEST_CASE("64 layers in 8 segments remember 7 inputs and 8 layers: an eighth of what the plain chain does") {
  const Shape shape = {64, 64};
  const auto peak = [&](Size segments) {
    const Var x = leaf(shape, 1);
    const std::vector<ChainLayer> layers(64, [](const Var& in, Rng*) { return tanh(exp(sin(cos(in)))) * sigmoid(in); });
    const std::ptrdiff_t before = live().bytes;
    reset_peak();
    Var y = checkpoint_sequential(layers, x, segments);
    y = sum(y);  // nothing but the loss holds the history
    grad(std::move(y), {x});
    return static_cast<double>(live().peak_bytes - before);
  };
  const double part = peak(8) / peak(1);
  CHECK(part < 0.17);  // 7 inputs and 8 · 5 numbers of layers against 64 · 5, and some for the pass itself
  CHECK(part > 0.10);
}

TEST_CASE("a function that gives other results when it is run again is refused") {
  const Var x = leaf({2}, 1);
  using Results = std::function<Vars(const Var&)>;
  const auto check_second = [&](const Results& first, const Results& second) {
    int runs = 0;
    const Vars y = checkpoint_outputs([&](const Vars& xs, Rng*) { return ++runs == 1 ? first(xs[0]) : second(xs[0]); },
                                      {x}, nullptr);
    check_throws_with([&] { grad(sum(y[0]), {x}); }, {"checkpoint: ", "other results", "[2]"});
  };
  const Results one = [](const Var& v) { return Vars{2.0 * v}; };
  const Results two = [](const Var& v) { return Vars{2.0 * v, 3.0 * v}; };
  check_second(one, two);
  check_second(two, one);
  check_second(one, [](const Var&) { return Vars{}; });
  check_second(one, [](const Var& v) { return Vars{sum(v)}; });
  check_second(one, [](const Var& v) { return Vars{cast(v, DType::float32)}; });
  check_second(one, [](const Var& v) { return Vars{detach(v)}; });
}
