// The parts of chapter 13's program.
#include <doctest/doctest.h>

#include <cmath>

#include "nn/attention/linear_attention.hpp"
#include "tensor/difference.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/13_low_rank_and_kernels/cost.hpp"
#include "tutorials/13_low_rank_and_kernels/features.hpp"
#include "tutorials/13_low_rank_and_kernels/forms.hpp"
#include "tutorials/13_low_rank_and_kernels/learning.hpp"
#include "tutorials/13_low_rank_and_kernels/maps.hpp"
#include "tutorials/lesson/variant_cost.hpp"

using namespace attend;
using namespace attend::chapter13;
using namespace attend::test;

TEST_CASE("neighbours are alike on smooth maps, and a peaked one has nearly all weight on the mirrored key") {
  const std::vector<Pairs> maps = three_maps(3, 32, 16, 4);
  CHECK(maps[0].name == "smooth");
  const auto step = [](const Pairs& pairs) {
    const Var& q = pairs.q;
    return norm(slice(q, 2, 1, 31) - slice(q, 2, 0, 31), all_axes(4)).item() / norm(q, all_axes(4)).item();
  };
  CHECK(step(maps[0]) < 0.2);
  CHECK(step(maps[1]) > 1);
  const Tensor peaked = attention_map(SoftmaxAttention(), maps[2].q, maps[2].k).value();
  double mirrored = 0;
  for (Size i = 0; i < 32; ++i) mirrored += peaked.at({0, 1, i, 31 - i}) / 32;
  CHECK(mirrored > 0.9);
  CHECK(largest_difference(maps[1].q.value(), three_maps(3, 32, 16, 5)[1].q.value()) > 0.1);
}

TEST_CASE("the best error of a rank is 1 for rank 0, falls, and is 0 for the full rank") {
  const Pairs random = three_maps(2, 12, 4, 1)[1];
  check_close(best_error(random, 0), 1, 0, 1e-14);
  CHECK(best_error(random, 3) > best_error(random, 4));
  CHECK(best_error(random, 12) == 0);
  CHECK(best_error(random, 4) < map_error(nystrom(4, 40), random));
}

TEST_CASE("ranks are means over the heads") {
  const Pairs random = three_maps(2, 12, 4, 1)[1];
  const Ranks found = ranks(random);
  CHECK(found.scores == 4);
  CHECK(found.weights == 12);
  CHECK(found.energy < 12);
  // The second head looks at all keys alike: its weights have rank 1.
  const Var none = Tensor::zeros({1, 1, 12, 4}, DType::float64);
  const Ranks halved = ranks({"", concat({slice(random.q, 1, 0, 1), none}, 1), random.k});
  check_close(halved.weights, 6.5, 0, 1e-14);
  check_close(halved.scores, 2, 0, 1e-14);
}

TEST_CASE("Nyström with the exact inverse: softmax attention with all landmarks, nothing where landmarks are alike") {
  const std::vector<Pairs> maps = three_maps(1, 12, 4, 1);
  CHECK(exact_nystrom_error(maps[1], 12).value() < 1e-11);
  const Var alike = Tensor::ones({1, 1, 12, 4}, DType::float64);
  CHECK_FALSE(exact_nystrom_error({"", alike, alike}, 3));
  CHECK_THROWS_AS(exact_nystrom_error(maps[1], 13), std::invalid_argument);
}

TEST_CASE("Linformer of means has the mean weight of a segment at each of its positions") {
  const Pairs random = three_maps(1, 6, 4, 1)[1];
  const Tensor map = attention_map(linformer_of_means(6, 2), random.q, random.k).value();
  for (Size i = 0; i < 6; ++i) {
    for (Size j = 0; j < 6; ++j) CHECK(map.at({0, 0, i, j}) == map.at({0, 0, i, j / 3 * 3}));
  }
  CHECK(map_error(linformer_of_means(6, 6), random) == 0);
  CHECK_THROWS_WITH_AS(linformer_of_means(6, 4),
                       "linformer_of_means: 6 positions in 4 segments; the first is a multiple of the second",
                       std::invalid_argument);
  CHECK_THROWS_AS(linformer_of_means(6, 0), std::invalid_argument);
}

TEST_CASE("all forms of a kind give what the first of it gives, with more features than values and fewer") {
  for (const Size m : {2, 5}) {
    const auto drawn = [&](Size width, std::uint64_t seed) { return random({2, 3, 40, width}, DType::float64, seed); };
    const Var fq = elu_features(drawn(m, 1)), fk = elu_features(drawn(m, 2)), v = drawn(3, 3);
    Var definition;
    Size definitions = 0;
    for (const Form& form : forms()) {
      CAPTURE(form.name);
      const Var found = form.run(fq, fk, v);
      if (form.definition) definition = found, ++definitions;
      check_agree(found, definition, 1e-13);
    }
    CHECK(definitions == 2);
  }
}

TEST_CASE("an estimate is 1 on average, with the error of the lemma for a single direction") {
  const Tensor x = along_diagonal(4, 0.5), y = numbers({0.3, -0.2, 0.4, 0.1}, {4});
  check_close(sum(Var(x) * Var(x)).item(), 0.25, 0, 1e-14);
  for (const SoftmaxFeatures kind :
       {SoftmaxFeatures::positive, SoftmaxFeatures::hyperbolic, SoftmaxFeatures::trigonometric}) {
    CAPTURE(static_cast<int>(kind));
    const Estimate found = estimate(x, y, 1, kind, 20000, 3);
    CHECK(std::abs(found.mean - 1) < 4 * found.standard_error);
    check_close(found.error / found.theory, 1, 0.15);
  }
}

TEST_CASE("the Q of LAPACK as it comes is biased along the diagonal, and orthogonal directions are not") {
  const Tensor x = along_diagonal(8, 0.7);
  const auto off = [&](Directions how) {
    const Estimate found = estimate(x, x, 8, SoftmaxFeatures::positive, 2000, 3, how);
    return std::abs(found.mean - 1) / found.standard_error;
  };
  CHECK(off(Directions::raw_qr) > 10);
  CHECK(off(Directions::orthogonal) < 4);
}

TEST_CASE("a number taken off each key's features changes the result, as keys of 0 in the place of padding do") {
  Rng rng(2);
  const Var q = random({1, 1, 6, 4}, DType::float64, 1), k = random({1, 1, 6, 4}, DType::float64, 2),
            v = random({1, 1, 6, 3}, DType::float64, 3);
  const Performer layer = cast(Performer(4, 8, rng), DType::float64);
  CHECK(largest_difference(lowered_key_by_key(layer, q, k, v).value(), layer(q, k, v).context.value()) > 0.01);
  const Mask mask = padding_mask({4}, 6);
  const auto first = [](const Var& x) { return slice(x, 2, 0, 4).value(); };
  const Var right = LinearAttention()(q, k, v, mask).context, zeroed = with_zeroed_keys(q, k, v, mask);
  CHECK(largest_difference(first(zeroed), first(right)) > 0.01);
  check_agree(with_zeroed_keys(q, k, v, {}), LinearAttention()(q, k, v).context, 1e-14);
}

TEST_CASE("what is costed grows as its rank or its features say, and the formulas hold") {
  const std::vector<Variant> variants = costed();
  CHECK(variants.size() == 6);
  for (const Variant& variant : variants) {
    CAPTURE(variant.name);
    CHECK(lesson::counted_multiplications(variant, 128, 8) == variant.multiplications(128, 8));
  }
  CHECK(variants[1].multiplications(2048, 8) == 2 * variants[1].multiplications(1024, 8));  // Linformer, k fixed
}

TEST_CASE("every contender of every task can be trained, and starts where a guess is") {
  for (Trial trial : trials()) {
    trial.plan.test_sequences = 32;
    for (Contender contender : trial.contenders) {
      CAPTURE(contender.name);
      CHECK(contender.steps >= 400);
      contender.steps = 1;
      CHECK(learn(contender, trial, 1) < 0.3);
    }
  }
}
