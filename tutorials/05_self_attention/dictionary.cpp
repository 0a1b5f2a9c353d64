#include "tutorials/05_self_attention/dictionary.hpp"

#include <cmath>
#include <stdexcept>

#include "nn/attention/dot_product.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter05 {
namespace {

Tensor row(const Tensor& x, Size i) { return squeeze(slice(x, 0, i, 1), {0}); }

}  // namespace

Dictionary orthonormal_dictionary(Size entries, Size d, Size value_size, Rng& rng) {
  if (entries > d) {
    throw std::invalid_argument("orthonormal_dictionary: " + std::to_string(entries) + " keys of width " +
                                std::to_string(d) + " cannot all be orthogonal");
  }
  const Tensor columns = kernel::qr(rng.normal({d, entries}, 0, 1, DType::float64)).first;
  return {contiguous(transpose(columns)), rng.normal({entries, value_size}, 0, 1, DType::float64)};
}

Dictionary overlapping_dictionary(const Dictionary& orthonormal) {
  const Size entries = orthonormal.keys.shape()[0];
  Vars keys;
  for (Size j = 0; j < entries; ++j) {
    const Var own(row(orthonormal.keys, j)), next(row(orthonormal.keys, (j + 1) % entries));
    keys.push_back((own + next) * std::pow(3.0, static_cast<double>(j - entries / 2)));
  }
  return {stack(keys, 0).value(), orthonormal.values};
}

Answer look_up(const Dictionary& dictionary, const Tensor& query) {
  // The layer takes batches: one dictionary, one query.
  const Var q = reshape(Var(query), {1, 1, query.size()});
  const Attended seen = dot_attention(q, unsqueeze(dictionary.keys, 0), unsqueeze(dictionary.values, 0));
  return {squeeze(seen.weights.value(), {0, 1}), squeeze(seen.context.value(), {0, 1})};
}

Tensor query_for(const Dictionary& dictionary, Size entry, double sharpness) {
  return kernel::affine(row(dictionary.keys, entry), sharpness, 0);
}

double right_weight(Size entries, double sharpness) {
  return 1 / (1 + static_cast<double>(entries - 1) * std::exp(-sharpness));
}

}  // namespace attend::chapter05
