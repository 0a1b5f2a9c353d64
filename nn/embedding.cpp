#include "nn/embedding.hpp"

#include <cmath>
#include <stdexcept>

namespace attend {

Embedding::Embedding(Size n, Size size, Rng& rng) {
  if (n < 1 || size < 1) {
    throw std::invalid_argument("embedding: " + std::to_string(n) + " symbols in vectors of size " +
                                std::to_string(size));
  }
  table = normal_init({n, size}, 0, 1 / std::sqrt(static_cast<double>(size)), rng);
}

Var Embedding::operator()(const Tensor& ids) const { return embedding(table, ids); }

void Embedding::parameters(const Visit& visit) { visit("table", table); }

}  // namespace attend
