// Exact attention without the matrix [Tq, Tk]: a block of queries meets one block of keys after the other, and the
// softmax runs along. For each query it knows the largest score m so far (`largest` below), the sum ℓ of exp(score − m)
// (`total`) and the sum o [dv] of exp(score − m) · value (a row of `out`); the next scores s_j change them to
//   m' = max(m, max_j s_j)      ℓ' = e^(m − m') ℓ + Σ_j e^(s_j − m')      o' = e^(m − m') o + Σ_j e^(s_j − m') v_j
// and in the end the result is o / ℓ. The running softmax is that of Milakov and Gimelshein 2018 (arXiv:1805.02867);
// attention by it, of Rabe and Staats 2021 (arXiv:2112.05682); in tiles, of Dao et al. 2022 (arXiv:2205.14135); that o
// is divided only once, at the end, of Dao 2023 (arXiv:2307.08691).
//
// Backward computes each tile's weights again, from the kept L = m + log ℓ (`log_sums`). With D_i = Σ_c dY_ic Y_ic,
//   P = exp(scale · Q Kᵀ − L)     dV = Pᵀ dY     dS = P ∘ (dY Vᵀ − D)     dQ = scale · dS K     dK = scale · dSᵀ Q
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/simd.hpp"
#include "tensor/inner/xblas.hpp"
#include "tensor/kernels.hpp"
#include "tensor/parallel.hpp"

namespace attend::kernel {
namespace {

Size rows_of(const Tensor& x) { return x.shape()[x.rank() - 2]; }
Size columns_of(const Tensor& x) { return x.shape()[x.rank() - 1]; }

// x [..., rows, columns] as BLAS reads it, row by row, with the leading axes of `batch`.
Tensor readable(const Tensor& x, const Shape& batch) {
  const bool by_rows = columns_of(x) <= 1 || x.strides().back() == 1;
  const bool apart = rows_of(x) <= 1 || x.strides()[x.rank() - 2] >= columns_of(x);
  return broadcast_to(by_rows && apart ? x : contiguous(x), with_matrix(batch, rows_of(x), columns_of(x)));
}

// Zeros in the shape of `model` and, where that is dense, in its memory order; `readable` has made the model.
Tensor zeros_like(const Tensor& model) {
  Tensor out = Tensor::uninitialized_like(model, model.dtype());
  const bool by_rows = columns_of(out) <= 1 || out.strides().back() == 1;
  if (!by_rows) return Tensor::zeros(out.shape(), out.dtype());
  by_floating("blockwise_attention", out,
              [&](auto zero) { std::fill_n(out.writable<decltype(zero)>(), out.size(), zero); });
  return out;
}

Tensor finite_or_zero(const Tensor& x) {
  return all_finite(x) ? x : where(is_finite(x), x, Tensor::zeros({}, x.dtype()));
}

[[noreturn]] void fail(const Tensor& q, const Tensor& k, const Tensor& v, const std::string& why) {
  throw std::invalid_argument("blockwise_attention: queries " + text(q.shape()) + ", keys " + text(k.shape()) +
                              ", values " + text(v.shape()) + ": " + why);
}

void check(const Tensor& q, const Tensor& k, const Tensor& v, const Blockwise& how) {
  check_floating("blockwise_attention", q);
  check_same_dtype("blockwise_attention", q, k);
  check_same_dtype("blockwise_attention", q, v);
  const bool matrices = q.rank() >= 2 && k.rank() >= 2 && v.rank() >= 2;
  if (!matrices || columns_of(q) != columns_of(k) || rows_of(k) != rows_of(v)) {
    fail(q, k, v, "they are [..., Tq, d], [..., Tk, d] and [..., Tk, dv]");
  }
  if (how.block < 1) fail(q, k, v, "blocks of " + std::to_string(how.block) + "; they have at least 1");
  if (how.mask.defined() && how.mask.dtype() != DType::boolean) {
    fail(q, k, v,
         std::string("the mask is ") + text(how.mask.dtype()) + " " + text(how.mask.shape()) + "; it must be bool");
  }
}

// Rows of a matrix, `step` apart.
template <class T>
struct Rows {
  T* first;
  Size step;
  T* operator[](Size i) const { return first + i * step; }
};

// Where a row of matrix number `slice` begins.
Size place(const Tensor& x, Size slice, Size row) {
  Size offset = row * x.strides()[x.rank() - 2];
  for (Size axis = x.rank() - 2; axis-- > 0;) {
    offset += slice % x.shape()[axis] * x.strides()[axis];
    slice /= x.shape()[axis];
  }
  return offset;
}
// BLAS wants a distance of at least the columns, and more than 0, even of a single row.
Size step_of(const Tensor& x) { return std::max({x.strides()[x.rank() - 2], columns_of(x), Size{1}}); }

template <class T>
Rows<const T> rows(const Tensor& x, Size slice, Size row) {
  return {x.data<T>() + place(x, slice, row), step_of(x)};
}
template <class T>
Rows<T> writable_rows(Tensor& x, Size slice, Size row) {
  return {x.writable<T>() + place(x, slice, row), step_of(x)};
}

// A tile: some queries and some keys of matrix number `slice`.
struct Tile {
  Size slice, query, queries, key, keys;
};

// The operands with common leading axes, and what both directions ask about them.
struct Problem {
  Tensor q, k, v, mask;  // [batch..., Tq, d], [batch..., Tk, d], [batch..., Tk, dv], [batch..., Tq, Tk]
  Tensor raw_v;          // where a value that may be hidden is not finite: v as it was, and `v` has 0 in its place
  Shape batch;
  bool causal;
  double scale;
  Size block, slices, Tq, Tk, d, dv;  // slices: matrices in the batch

  Problem(const Tensor& queries, const Tensor& keys, const Tensor& values, const Blockwise& how);

  Shape scores_shape() const { return with_matrix(batch, Tq, Tk); }
  // Causality alone: query i sees the keys before this one, and key j is seen by the queries from this one on.
  Size end_of_keys(Size query) const { return causal ? std::clamp(query + 1 + Tk - Tq, Size{0}, Tk) : Tk; }
  Size first_query(Size key) const { return causal ? std::clamp(key - (Tk - Tq), Size{0}, Tq) : 0; }

  Size query_blocks() const { return (Tq + block - 1) / block; }
  Size key_blocks() const { return (Tk + block - 1) / block; }
  Tile tile(Size slice, Size query, Size key) const {
    return {slice, query, std::min(block, Tq - query), key, std::min(block, Tk - key)};
  }
  Size tile_size() const { return std::min(block, Tq) * std::min(block, Tk); }
  // Pairs of a query and a key in the tiles that are not skipped.
  Size pairs() const;

  // scale · Q Kᵀ of a tile.
  template <class T>
  Rows<T> scores(const Tile& t, T* scratch) const {
    const Rows<const T> Q = rows<T>(q, t.slice, t.query), K = rows<T>(k, t.slice, t.key);
    blas::gemm(false, true, t.queries, t.keys, d, Q.first, Q.step, K.first, K.step, scratch, t.keys, T(scale));
    return {scratch, t.keys};
  }

  bool allows(const Tile& t, Size i, Size j) const {
    if (t.key + j >= end_of_keys(t.query + i)) return false;
    return !mask.defined() || *mask_at(t, i, j);
  }
  // Puts `hidden` in the place of what query i of a tile may not see, whatever stands there. Whether any is left.
  template <class T>
  bool hide(const Tile& t, Size i, T hidden, T* s) const {
    const Size end = std::clamp(end_of_keys(t.query + i) - t.key, Size{0}, t.keys);
    std::fill(s + end, s + t.keys, hidden);
    if (!mask.defined()) return end > 0;
    const bool* may = mask_at(t, i, 0);
    const Size step = mask.strides().back();
    bool any = false;
    for (Size j = 0; j < end; ++j) {
      any |= may[j * step];
      s[j] = may[j * step] ? s[j] : hidden;
    }
    return any;
  }

 private:
  const bool* mask_at(const Tile& t, Size i, Size j) const {
    return mask.data<bool>() + place(mask, t.slice, t.query + i) + (t.key + j) * mask.strides().back();
  }
};

Problem::Problem(const Tensor& queries, const Tensor& keys, const Tensor& values, const Blockwise& how)
    : causal(how.causal), scale(how.scale), block(how.block) {
  check(queries, keys, values, how);
  const Shape of_two = broadcast_shape("blockwise_attention", batch_shape(queries.shape()), batch_shape(keys.shape()));
  batch = broadcast_shape("blockwise_attention", of_two, batch_shape(values.shape()));
  const bool may_hide = causal || how.mask.defined();
  if (may_hide && !all_finite(values)) raw_v = readable(values, batch);
  q = readable(queries, batch);
  k = readable(keys, batch);
  v = readable(raw_v.defined() ? finite_or_zero(values) : values, batch);
  slices = element_count(batch);
  Tq = rows_of(q), Tk = rows_of(k), d = columns_of(q), dv = columns_of(v);
  if (!how.mask.defined()) return;
  if (!broadcasts_to(how.mask.shape(), scores_shape())) {
    fail(queries, keys, values, "mask " + text(how.mask.shape()) + " does not fit scores " + text(scores_shape()));
  }
  mask = broadcast_to(how.mask, scores_shape());
}

Size Problem::pairs() const {
  Size count = 0;
  for (Size query = 0; query < Tq; query += block) {
    const Size queries = std::min(block, Tq - query), keys = end_of_keys(query + queries - 1);
    count += queries * std::min(Tk, (keys + block - 1) / block * block);
  }
  return slices * count;
}

// The grain of `parallel`: how many pieces of work are worth a thread, where each has so many multiplications.
Size pieces_at_once(Size multiplications) {
  return multiplications_per_thread / std::max<Size>(1, multiplications) + 1;
}

// ---- forward --------------------------------------------------------------------------------------------------------

// The softmax of a query on its way along the keys.
template <class T>
struct Running {
  T largest = -std::numeric_limits<T>::infinity(), total = 0;
  bool began = false;  // whether there was any key

  // The largest score or, where all are −∞, a number that can be subtracted from them.
  T shift() const { return largest == -std::numeric_limits<T>::infinity() ? T(0) : largest; }

  // Turns the next scores into exp(score − largest), and rescales what was summed before to the new largest.
  void take(T* s, Size count, T* sum, Size columns) {
    const T before = largest;
    largest = std::max(largest, simd::max(s, count));
    const T rescale = std::exp(before - shift());
    total = total * rescale + simd::exp_shifted(s, shift(), s, count);
    if (rescale != 1) simd::scale(sum, rescale, sum, columns);
    began = true;
  }
};

// Where a query may attend to a value that is not finite, its result is NaN. The sums have 0 in that value's place,
// because 0 · NaN would reach those too who may not.
template <class T>
void show_not_finite(const Problem& p, const Tile& t, Rows<T> out) {
  const Rows<const T> values = rows<T>(p.raw_v, t.slice, t.key);
  for (Size j = 0; j < t.keys; ++j) {
    for (Size c = 0; c < p.dv; ++c) {
      if (std::isfinite(values[j][c])) continue;
      for (Size i = 0; i < t.queries; ++i) {
        if (p.allows(t, i, j)) out[i][c] = std::numeric_limits<T>::quiet_NaN();
      }
    }
  }
}

// A block of queries along all the keys that it sees. `out` begins as 0.
template <class T>
void attend_block(const Problem& p, Size slice, Size query, T* scratch, Rows<T> out, T* log_sums) {
  const Size queries = std::min(p.block, p.Tq - query);
  std::vector<Running<T>> running(static_cast<std::size_t>(queries));
  for (Size key = 0; key < p.end_of_keys(query + queries - 1); key += p.block) {
    const Tile t = p.tile(slice, query, key);
    const Rows<T> scores = p.scores(t, scratch);
    for (Size i = 0; i < queries; ++i) {
      if (p.hide(t, i, -std::numeric_limits<T>::infinity(), scores[i])) {
        running[static_cast<std::size_t>(i)].take(scores[i], t.keys, out[i], p.dv);
      } else {
        std::fill_n(scores[i], t.keys, T(0));
      }
    }
    const Rows<const T> V = rows<T>(p.v, slice, key);
    blas::gemm(false, false, queries, p.dv, t.keys, scores.first, scores.step, V.first, V.step, out.first, out.step,
               T(1), T(1));
    if (p.raw_v.defined()) show_not_finite(p, t, out);
  }
  for (Size i = 0; i < queries; ++i) {
    const Running<T>& r = running[static_cast<std::size_t>(i)];
    if (r.began) simd::scale(out[i], 1 / r.total, out[i], p.dv);
    log_sums[i] = r.began ? r.shift() + std::log(r.total) : -std::numeric_limits<T>::infinity();
  }
}

// ---- backward -------------------------------------------------------------------------------------------------------

// What backward reads beside the operands: dY [..., Tq, dv]; L and D, one number for each of slices · Tq queries.
struct Given {
  Tensor dY, log_sums, D;
};

// A block of keys along all the queries that see it; `for_P` and `for_dS` have room for a tile each. The gradients are
// added to dq, of all queries, and to dk and dv, of this block.
template <class T>
void pull_back_block(const Problem& p, const Given& given, Size slice, Size key, T* for_P, T* for_dS, Rows<T> dq,
                     Rows<T> dk, Rows<T> dv) {
  const Rows<const T> K = rows<T>(p.k, slice, key), V = rows<T>(p.v, slice, key);
  const T *log_sums = given.log_sums.data<T>() + slice * p.Tq, *D = given.D.data<T>() + slice * p.Tq;
  for (Size query = p.first_query(key) / p.block * p.block; query < p.Tq; query += p.block) {
    const Tile t = p.tile(slice, query, key);
    const Rows<const T> Q = rows<T>(p.q, slice, query), dY = rows<T>(given.dY, slice, query);
    const Rows<T> P = p.scores(t, for_P), dS{for_dS, t.keys};
    blas::gemm(false, true, t.queries, t.keys, p.dv, dY.first, dY.step, V.first, V.step, dS.first, dS.step);
    for (Size i = 0; i < t.queries; ++i) {
      simd::exp_shifted(P[i], log_sums[query + i], P[i], t.keys);
      p.hide(t, i, T(0), P[i]);
      // What has weight 0 gets 0 even where dY or a value is infinite or NaN, for 0 times that is NaN.
      for (Size j = 0; j < t.keys; ++j) dS[i][j] = P[i][j] == 0 ? T(0) : P[i][j] * (dS[i][j] - D[query + i]);
    }
    blas::gemm(true, false, t.keys, p.dv, t.queries, P.first, P.step, dY.first, dY.step, dv.first, dv.step, T(1), T(1));
    blas::gemm(false, false, t.queries, p.d, t.keys, dS.first, dS.step, K.first, K.step, dq[query], dq.step, T(p.scale),
               T(1));
    blas::gemm(true, false, t.keys, p.d, t.queries, dS.first, dS.step, Q.first, Q.step, dk.first, dk.step, T(p.scale),
               T(1));
  }
}

// Keys share the gradient of their queries, so the blocks of keys are dealt to a few groups, each with a dq of its own:
// with one head, up to three more tensors of the size of q. The number of groups depends on the sizes alone, so that
// the bits do not depend on the threads. With many heads the heads are pieces enough.
Size groups_of_keys(const Problem& p) {
  constexpr Size pieces = 4;
  return std::clamp(pieces / std::max<Size>(1, p.slices), Size{1}, std::max<Size>(1, p.key_blocks()));
}

}  // namespace

std::pair<Tensor, Tensor> blockwise_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Blockwise& how) {
  if (is_half(q.dtype())) {
    const auto [out, log_sums] = blockwise_attention(widened(q), widened(k), widened(v), how);
    return {rounded(out, q.dtype()), log_sums};
  }
  const Problem p(q, k, v, how);
  blas::use_one_thread();
  const Shape shape = with_matrix(p.batch, p.Tq, p.dv);
  Tensor out = shape == p.q.shape() ? zeros_like(p.q) : Tensor::zeros(shape, q.dtype());
  Tensor log_sums = Tensor::uninitialized(reduced_shape(shape, {shape.size() - 1}, false), q.dtype());
  note_cost("blockwise_attention", {p.pairs() * (p.d + p.dv + 1), (q.size() + k.size() + v.size()) * width(q.dtype()),
                                    (out.size() + log_sums.size()) * width(q.dtype())});
  const Size blocks = p.query_blocks(), multiplications = p.tile_size() * p.key_blocks() * (p.d + p.dv);
  by_floating("blockwise_attention", q, [&](auto zero) {
    using T = decltype(zero);
    parallel(p.slices * blocks, pieces_at_once(multiplications), [&](Size first, Size last) {
      Tensor scratch = Tensor::uninitialized({p.tile_size()}, q.dtype());
      for (Size piece = first; piece < last; ++piece) {
        // The last queries of a causal mask see most keys: first and last take turns, so that a thread gets both.
        const Size slice = piece / blocks, turn = piece % blocks / 2;
        const Size query = (piece % blocks % 2 == 0 ? turn : blocks - 1 - turn) * p.block;
        attend_block(p, slice, query, scratch.writable<T>(), writable_rows<T>(out, slice, query),
                     log_sums.writable<T>() + slice * p.Tq + query);
      }
    });
  });
  return {out, log_sums};
}

std::array<Tensor, 3> blockwise_attention_backward(const Tensor& g, const Tensor& q, const Tensor& k, const Tensor& v,
                                                   const Tensor& y, const Tensor& log_sums, const Blockwise& how) {
  if (is_half(q.dtype())) {
    const auto [dq, dk, dv] =
        blockwise_attention_backward(widened(g), widened(q), widened(k), widened(v), widened(y), log_sums, how);
    return {rounded(dq, q.dtype()), rounded(dk, q.dtype()), rounded(dv, q.dtype())};
  }
  const bool may_hide = how.causal || how.mask.defined();
  const Problem p(may_hide ? finite_or_zero(q) : q, may_hide ? finite_or_zero(k) : k, v, how);
  blas::use_one_thread();
  const Given given{readable(g, p.batch), log_sums, sum_of_products(g, y, with_matrix(p.batch, p.Tq, 1))};
  const Size groups = groups_of_keys(p);
  std::vector<Tensor> dqs;
  for (Size group = 0; group < groups; ++group) dqs.push_back(zeros_like(p.q));
  Tensor dk = zeros_like(p.k), dv = zeros_like(p.v);
  note_cost("blockwise_attention_backward",
            {p.pairs() * (3 * p.d + 2 * p.dv + 1),
             (q.size() + k.size() + v.size() + 2 * g.size() + log_sums.size()) * width(q.dtype()),
             (dqs[0].size() + dk.size() + dv.size()) * width(q.dtype())});
  const Size multiplications = p.tile_size() * p.query_blocks() * p.key_blocks() / groups * (3 * p.d + 2 * p.dv);
  by_floating("blockwise_attention", q, [&](auto zero) {
    using T = decltype(zero);
    parallel(p.slices * groups, pieces_at_once(multiplications), [&](Size first, Size last) {
      Tensor scratch = Tensor::uninitialized({2, p.tile_size()}, q.dtype());
      T *for_P = scratch.writable<T>(), *for_dS = for_P + p.tile_size();
      for (Size piece = first; piece < last; ++piece) {
        const Size slice = piece / groups, group = piece % groups;
        const Rows<T> dq = writable_rows<T>(dqs[static_cast<std::size_t>(group)], slice, 0);
        for (Size key = group * p.block; key < p.Tk; key += groups * p.block) {
          pull_back_block(p, given, slice, key, for_P, for_dS, dq, writable_rows<T>(dk, slice, key),
                          writable_rows<T>(dv, slice, key));
        }
      }
    });
  });
  for (Size group = 1; group < groups; ++group) dqs[0] = add(dqs[0], dqs[static_cast<std::size_t>(group)]);
  return {dqs[0], dk, dv};
}

Tensor causal(Size Tq, Size Tk) {
  const Tensor places = Tensor::arange(Tq + Tk);  // j + Tq <= i + Tk
  return less_equal(slice(places, 0, Tq, Tk), unsqueeze(slice(places, 0, Tk, Tq), 1));
}

}  // namespace attend::kernel
