#include "tutorials/07_positions/repeating.hpp"

#include <algorithm>

#include "tensor/kernels.hpp"

namespace attend::chapter07 {

Tensor random_texts(Size count, Size length, Rng& rng) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(count * length));
  std::generate(ids.begin(), ids.end(), [&] { return rng.below(symbols); });
  return Tensor::from_ints(ids, {count, length});
}

Tensor answers_to(const Tensor& texts) {
  const Size count = texts.shape()[0], length = texts.shape()[1], without = std::min(back, length);
  const Tensor none = Tensor::full({count, without}, -1, DType::int64);
  return kernel::concat({none, slice(texts, 1, 0, length - without)}, 1);
}

}  // namespace attend::chapter07
