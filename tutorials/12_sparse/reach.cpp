#include "tutorials/12_sparse/reach.hpp"

#include "autograd/grad.hpp"
#include "nn/attention/local.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter12 {

Var through(const std::vector<AttentionCore>& layers, Var x, const Mask& mask) {
  for (const AttentionCore& core : layers) x = core(x, x, x, mask).context;
  return x;
}

Tensor reached(const std::vector<AttentionCore>& layers, Size T, std::uint64_t seed, const Mask& mask) {
  constexpr Size d = 3;
  Rng rng(seed);
  // T copies of one sequence; in copy i the cotangent stands at position i alone: one backward pass asks for all.
  const Tensor one = rng.normal({1, 1, T, d}, 0, 1, DType::float64);
  const Var x = Var::parameter(broadcast_to(one, {T, 1, T, d}));
  const Tensor direction = rng.normal({d}, 0, 1, DType::float64);
  const Tensor at_i =
      kernel::mul(reshape(kernel::one_hot(Tensor::arange(T), T, DType::float64), {T, 1, T, 1}), direction);
  const Tensor g = grad(through(layers, x, mask), {x}, Var(at_i))[0].value();  // [T, 1, T, d]
  const Tensor size = reshape(kernel::sum(kernel::abs(g), {3}, false), {T, T});
  return above_zero(size);
}

Reach reach(const Contender& of, Size T, Size most, std::uint64_t seed) {
  Reach found;
  for (Size layers = 1; layers <= most && !found.all_see_all; ++layers) {
    Rng rng(seed);
    const Tensor seen = reached(stack(of, T, layers, rng), T, seed);
    if (!found.last_sees_first && seen.at({T - 1, 0}) > 0) found.last_sees_first = layers;
    if (pairs(seen) == T * T) found.all_see_all = layers;
  }
  return found;
}

std::vector<double> on_paper() {
  std::vector<double> derivatives;
  const Var none = Tensor::zeros({1, 1, 4, 1}, DType::float64);
  const Var x = Var::parameter(Tensor::ones({1, 1, 4, 1}, DType::float64));
  Var y = x;
  for (int layer = 1; layer <= 3; ++layer) {
    y = LocalAttention(1, 1)(none, none, y).context;
    derivatives.push_back(grad(sum(slice(y, 2, 3, 1)), {x})[0].value().at({0, 0, 0, 0}));
  }
  return derivatives;
}

}  // namespace attend::chapter12
