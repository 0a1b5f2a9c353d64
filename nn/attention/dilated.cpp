#include "nn/attention/dilated.hpp"

#include <algorithm>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

// The positions of one residue in a sequence of T, the longest of them.
Size class_length(Size T, Size dilation) { return (T + dilation - 1) / dilation; }

// With T residues every position is alone already.
Size residues(Size T, Size dilation) { return std::max<Size>(1, std::min(T, dilation)); }

// Position n · D + r becomes position n of sequence r: [B, H, T, d] -> [B · D, H, length, d].
Var by_residue(const Var& x, Size D) {
  const auto [B, H, T, d] = dims<4>(x, "dilated attention");
  const Size length = class_length(T, D);
  const Var rows = reshape(pad(x, 2, 0, length * D - T), {B, H, length, D, d});
  return reshape(permute(rows, {0, 3, 1, 2, 4}), {B * D, H, length, d});
}

// The way back, without what was added: [B · D, H, length, d] -> [B, H, T, d].
Var in_order(const Var& x, Size D, Size T) {
  const auto [sequences, H, length, d] = dims<4>(x, "dilated attention");
  const Size B = sequences / D;
  const Var rows = permute(reshape(x, {B, D, H, length, d}), {0, 2, 3, 1, 4});
  return slice(reshape(rows, {B, H, length * D, d}), 2, 0, T);
}

// The keys that are there, of every residue: [B or 1, T] -> [B · D, 1, 1, length].
Mask by_residue(const Tensor& there, Size B, Size D) {
  const Size T = there.shape()[1], length = class_length(T, D);
  const Tensor nobody = Tensor::zeros({B, length * D - T}, DType::boolean);
  const Tensor rows = reshape(kernel::concat({broadcast_to(there, {B, T}), nobody}, 1), {B, length, D});
  return Mask(reshape(transpose(rows), {B * D, 1, 1, length}));
}

}  // namespace

DilatedAttention::DilatedAttention(Size keys_before, Size keys_after, Size gap)
    : window(keys_before, keys_after), dilation(gap) {
  if (dilation >= 1) return;
  throw std::invalid_argument("dilated attention: a dilation of " + std::to_string(dilation) +
                              "; it is 1 for neighbours, 2 for every other position, ...");
}

Attended DilatedAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("dilated attention", q, k, v);
  const Size B = q.shape()[0], T = q.shape()[2], D = residues(T, dilation), length = class_length(T, D);
  const KeyMask seen = key_mask("dilated attention", mask, T, T);
  const Tensor there = seen.keys.defined() ? seen.keys : Tensor::ones({1, T}, DType::boolean);
  // Within one residue the order is that of the sequence, and so is causality.
  Mask of_residues = by_residue(there, B, D);
  if (seen.causal) of_residues = of_residues & causal_mask(length, length);
  const Var context = window(by_residue(q, D), by_residue(k, D), by_residue(v, D), of_residues).context;
  return {in_order(context, D, T), Var()};
}

Size dilated_multiplications(Size T, Size d, Size before, Size after, Size dilation) {
  const Size D = residues(T, dilation);
  return D * local_multiplications(class_length(T, D), d, before, after);
}

}  // namespace attend
