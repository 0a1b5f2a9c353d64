// The parts of chapter 10's program, and the numbers that its page works out on paper.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "autograd/grad.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/10_attention_and_convolution/looking.hpp"
#include "tutorials/10_attention_and_convolution/patches.hpp"
#include "tutorials/10_attention_and_convolution/tasks.hpp"
#include "tutorials/lesson/difference.hpp"

using namespace attend;
using namespace attend::chapter10;
using namespace attend::test;

namespace {

const OnPage on_page("10_attention_and_convolution");

Tensor counted(const Shape& shape) {
  std::vector<double> values;
  for (Size i = 0; i < element_count(shape); ++i) values.push_back(static_cast<double>(i));
  return Tensor::from(values, shape, DType::float64);
}

Model model_of(Kind kind, Without without = Without::nothing) {
  Rng rng(3);
  return Model(kind, {8, 8}, rng, without);
}

const std::vector<Kind> all_kinds = {Kind::logistic,  Kind::vision,           Kind::convolution,
                                     Kind::attention, Kind::convolution_mean, Kind::attention_mean};

// Of how many pixels of a large image the block's result in its middle knows.
Size pixels_known(Block block) {
  Rng rng(3);
  ConvNet net = cast(ConvNet({24, 24}, block, Head::mean, rng), DType::float64);
  BatchNorm& last = block == Block::attention ? net.attention->widen_norm : net.convolution->widen_norm;
  last.gain = Var::parameter(Tensor::ones(last.gain.shape(), DType::float64));  // it begins at 0
  const Var x = Var::parameter(random({1, 1, 24, 24}));
  const Var seen = net.features(x);
  const Var deep = block == Block::attention ? (*net.attention)(seen, Mode::evaluation)
                                             : (*net.convolution)(seen, Mode::evaluation);  // [1, 32, 12, 12]
  Size known = 0;
  for (const double slope : grad(sum(select(select(deep, 3, 6), 2, 6)), {x})[0].value().to_vector())
    known += slope != 0;
  return known;
}

}  // namespace

TEST_CASE("the page's image of 4 x 4 pixels, cut into patches, times the page's two filters") {
  const Var patches = image_patches(Var(counted({1, 1, 4, 4})), 2);
  check_close(patches, {1, 4, 4}, {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}, 0);
  CHECK(on_page("| 1 | 2, 3, 6, 7 | 18 | 8 |"));
  const Var filters(Tensor::from({1, -1, 1, -1, 1, 1, 1, 1}, {4, 2}, DType::float64));
  check_close(slice(matmul(patches, filters), 1, 0, 2), {1, 2, 2}, {10, 8, 18, 8}, 0);
}

TEST_CASE("the page's rollout: half of a step goes by the attention") {
  // Two tokens, two layers, one head: a row is who looks.
  const Var first(Tensor::from({0.5, 0.5, 1, 0}, {1, 1, 2, 2}, DType::float64));
  const Var second(Tensor::from({0, 1, 0, 1}, {1, 1, 2, 2}, DType::float64));
  check_close(Var(rollout({first, second})), {1, 2, 2}, {0.625, 0.375, 0.5, 0.5}, 1e-15);
  CHECK(on_page("| rollout | 0.625 | 0.375 |"));
}

TEST_CASE("an image put together from its patches is the image") {
  const Var x(counted({2, 3, 4, 6}));
  CHECK(same_bits(image_of_patches(image_patches(x, 2), 4, 6, 2), x));
}

TEST_CASE("patches in another order stand elsewhere and are the same inside") {
  const Var x(counted({1, 1, 4, 4}));
  check_close(with_patches_in_order(x, 2, {3, 0, 1, 2}), {1, 1, 4, 4},
              {10, 11, 0, 1, 14, 15, 4, 5, 2, 3, 8, 9, 6, 7, 12, 13}, 0);
  CHECK(column_order(2, 3) == std::vector<std::int64_t>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("every model gives a score for each class, for digits and for clothes") {
  for (const Kind kind : all_kinds) {
    CAPTURE(name_of(kind));
    CHECK(model_of(kind)(Var(Tensor::ones({2, 1, 8, 8})), Mode::evaluation).shape() == Shape{2, 10});
    Rng rng(1);
    const Model clothes(kind, {14, 14}, rng);
    CHECK(clothes(Var(Tensor::ones({2, 1, 14, 14})), Mode::evaluation).shape() == Shape{2, 10});
  }
}

TEST_CASE("the CNN's two blocks are of about the same size") {
  const double with = static_cast<double>(parameter_count(model_of(Kind::attention)));
  const double without = static_cast<double>(parameter_count(model_of(Kind::convolution)));
  CHECK(with / without > 0.97);
  CHECK(with / without < 1.03);
}

TEST_CASE("what is left out of a model is 0 and is not learned; the rest is there") {
  CHECK(parameter_count(model_of(Kind::vision)) - parameter_count(model_of(Kind::vision, Without::positions)) ==
        17 * 24);
  CHECK(parameter_count(model_of(Kind::vision)) - parameter_count(model_of(Kind::vision, Without::queries)) ==
        2 * (24 * 24 + 24));
  CHECK(parameter_count(model_of(Kind::attention)) - parameter_count(model_of(Kind::attention, Without::queries)) ==
        16 * 16);
  CHECK(parameter_count(model_of(Kind::convolution, Without::queries)) == parameter_count(model_of(Kind::convolution)));
  const Tensor looks = pixel_looks(std::get<ConvNet>(model_of(Kind::attention, Without::queries).net),
                                   lesson::digits8x8().select({0, 1}).pixels);
  check_agree(Var(looks), Var(Tensor::full({2, 4, 16}, 1.0 / 16)), 1e-7);
}

TEST_CASE("a block begins as relu(x), with attention and with a convolution") {
  Rng rng(1);
  const Var x(random({2, 5, 4, 4}, DType::float32, 2));
  check_agree(ConvBottleneck(5, 3, rng)(x, Mode::training), relu(x), 0);
}

TEST_CASE("behind the convolution a pixel depends on 11 x 11 pixels, behind the attention on all") {
  CHECK(pixels_known(Block::convolution) == 11 * 11);
  CHECK(pixels_known(Block::attention) == 24 * 24);
  CHECK(on_page("11 × 11 of the 14 × 14 pixels"));
}

TEST_CASE("the digits' training and test images are all digits, none twice, and drawn by the seed") {
  const Task one = digits_task(1), two = digits_task(2);
  CHECK(one.training.size() == 1437);
  CHECK(one.test.size() == 360);
  const auto total = [](const Task& task) {
    return sum(Var(task.training.pixels)).item() + sum(Var(task.test.pixels)).item();
  };
  CHECK(std::abs(total(one) - sum(Var(lesson::digits8x8().pixels)).item()) < 1);
  CHECK(one.test.labels.to_ints() != two.test.labels.to_ints());
  CHECK(one.test.labels.to_ints() == digits_task(1).test.labels.to_ints());
}

TEST_CASE("the clothes have a name for each class") {
  const Task clothes = fashion_task();
  CHECK(clothes.classes.size() == 10);
  CHECK(clothes.training.size() == 5000);
  CHECK(clothes.test.size() == 1000);
}

TEST_CASE("the same seed learns the same model, and it learns") {
  const lesson::Images some = digits_task(1).training.select({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto learned = [&] {
    Rng rng(5);
    Model model = model_of(Kind::vision);
    return learn(model, some, {10, 5, 5e-3, 0}, rng);
  };
  const Learned once = learned(), again = learned();
  CHECK(once.last_loss < 0.5 * once.first_loss);
  CHECK(same_bits(Var(probabilities(once.model, some.pixels)), Var(probabilities(again.model, some.pixels))));
  CHECK(accuracy(once.model, some) >= 0.9);
}

TEST_CASE("probabilities do not depend on the batch they are asked in") {
  const lesson::Images some = lesson::digits8x8().select(Rng(1).permutation(450));
  Rng rng(2);
  const Model model = learn(model_of(Kind::attention), some, {1, 50, 5e-3, 0}, rng).model;
  const Tensor last = slice(some.pixels, 0, 430, 20);
  check_agree(Var(slice(probabilities(model, some.pixels), 0, 430, 20)), Var(probabilities(model, last)), 1e-6);
}

TEST_CASE("what the class token reads from the patches is its row without itself") {
  const VisionTransformer vision = std::get<VisionTransformer>(model_of(Kind::vision).net);
  const Tensor pixels = lesson::digits8x8().select({0, 1, 2}).pixels;
  const Tensor looks = class_token_looks(vision, pixels);
  CHECK(looks.shape() == Shape{3, 4, 16});
  const Tensor all = vision.attention_weights(Var(pixels))[1].value();
  CHECK(looks.at({2, 3, 5}) == all.at({2, 3, 0, 6}));
  const Tensor rolled = class_token_rollout(vision, pixels);
  CHECK(rolled.shape() == Shape{3, 16});
  CHECK(rolled.at({1, 7}) == rollout(vision.attention_weights(Var(pixels))).at({1, 0, 8}));
}

TEST_CASE("heads that look alike overlap in 1, and those with no place in common in 0") {
  const Tensor alike = Tensor::from({0.1, 0.3, 0.2, 0.6}, {1, 2, 2}, DType::float64);
  check_close(overlap_of_heads(alike), 1, 1e-15);
  check_close(overlap_of_heads(Tensor::from({1, 0, 0, 1}, {1, 2, 2}, DType::float64)), 0, 0);
  check_close(overlap_of_heads(Tensor::from({0.5, 0.5, 0, 1}, {1, 2, 2}, DType::float64)), 0.5, 1e-15);
}

TEST_CASE("hiding a patch changes what a ViT says, and nothing hidden is the model itself") {
  const lesson::Images some = digits_task(1).test.select({0, 1, 2, 3});
  const Model model = model_of(Kind::vision);
  Rng rng(1);
  const Occlusion seen = occlude(model, some, rng);
  const Tensor right = kernel::gather(probabilities(model, some.pixels), 1, reshape(some.labels, {4, 1}));
  check_close(seen.with_all, mean(Var(right)).item(), 1e-7);
  CHECK(seen.without_looked_at != seen.with_all);
}

TEST_CASE("an overlay has the image's pixels and a weight for each patch, row by row") {
  const lesson::Images some = digits_task(1).test.select({0, 1});
  const lesson::Overlay panel = overlay(some.pixels, counted({2, 16}), 1, "title");
  CHECK(panel.image.rows() == 8);
  CHECK(panel.image(3, 4) == some.pixels.at({1, 0, 3, 4}));
  CHECK(panel.weights.rows() == 4);
  CHECK(panel.weights(1, 2) == 22);
}
