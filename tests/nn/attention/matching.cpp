#include "nn/attention/matching.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

double cosine(const Tensor& a, Size i, const Tensor& b, Size j) {
  double product = 0, of_a = 0, of_b = 0;
  for (Size c = 0; c < a.shape()[2]; ++c) {
    const double x = a.at({0, i, c}), y = b.at({0, j, c});
    product += x * y, of_a += x * x, of_b += y * y;
  }
  return product / std::sqrt(of_a * of_b);
}

}  // namespace

TEST_CASE("the read-out of matching networks is the softmax of cosines over the labels, in plain loops") {
  const Tensor query = random({1, 3, 4}), support = random({1, 5, 4}, DType::float64, 2);
  const Tensor labels = unsqueeze(one_hot(Tensor::from_ints({0, 1, 1, 2, 0}, {5}), 3, DType::float64), 0);
  for (double sharpness : {1.0, 7.0}) {
    CAPTURE(sharpness);
    std::vector<double> expected;
    for (Size i = 0; i < 3; ++i) {
      double of_class[3] = {}, total = 0;
      for (Size j = 0; j < 5; ++j) {
        const double weight = std::exp(sharpness * cosine(query, i, support, j));
        total += weight;
        for (Size c = 0; c < 3; ++c) of_class[c] += weight * labels.at({0, j, c});
      }
      for (double one : of_class) expected.push_back(one / total);
    }
    const Attended found = matching_read_out(query, support, labels, sharpness);
    check_close(found.context, {1, 3, 3}, expected, 1e-14);
    CHECK(found.weights.shape() == Shape{1, 3, 5});
  }
}

TEST_CASE("cosine attention does not see how long queries and keys are, and takes a key of zeros") {
  const Var q = random({1, 2, 4, 3}), k = random({1, 2, 4, 3}, DType::float64, 2), v = random({1, 2, 4, 2});
  check_agree(CosineAttention(3)(9 * q, 0.1 * k, v).context, CosineAttention(3)(q, k, v).context, 1e-14);
  const Var zeros = Var::parameter(Tensor::zeros({1, 2, 4, 3}, DType::float64));
  const Var y = CosineAttention(3)(q, zeros, v).context;
  check_agree(y, broadcast_to(mean(v, {2}, true), v.shape()), 1e-15);
  check_agree(random_gradients(y, {zeros})[0] * 0.0, Tensor::zeros({1, 2, 4, 3}, DType::float64), 0);
}

TEST_CASE("cosine attention refuses a sharpness that is not positive") {
  check_throws_with([] { CosineAttention(0); }, {"cosine attention", "sharpness of 0"});
  const Var x = random({1, 2, 3});
  check_throws_with([&] { matching_read_out(x, x, x, -1); }, {"matching read-out", "sharpness of -1"});
  check_throws_with([&] { matching_read_out(x, random({1, 2, 4}), x); }, {"dot-product attention", "[1, 2, 4]"});
}
