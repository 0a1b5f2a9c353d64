#include "nn/embedding.hpp"

#include <cmath>

namespace attend {

Embedding::Embedding(Size n, Size size, Rng& rng)
    : table(normal_init({n, size}, 0, 1 / std::sqrt(static_cast<double>(size)), rng)) {}

Var Embedding::operator()(const Tensor& ids) const { return embedding(table, ids); }

void Embedding::parameters(const Visit& visit) { visit("table", table); }

}  // namespace attend
