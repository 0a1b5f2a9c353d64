#include "tutorials/14_hashing/pairs.hpp"

#include <algorithm>
#include <numeric>

#include "tensor/kernels.hpp"

namespace attend::chapter14 {

std::vector<Size> sorted_by_bucket(const Buckets& buckets) {
  std::vector<Size> order(buckets.size());
  std::iota(order.begin(), order.end(), Size{0});
  std::stable_sort(order.begin(), order.end(), [&](Size i, Size j) {
    return buckets[static_cast<std::size_t>(i)] < buckets[static_cast<std::size_t>(j)];
  });
  return order;
}

Tensor met(const Buckets& buckets, Size chunk, bool around) {
  const std::vector<Size> order = sorted_by_bucket(buckets);
  const Size T = static_cast<Size>(order.size()), chunks = (T + chunk - 1) / chunk;
  std::vector<double> map(static_cast<std::size_t>(T * T), 0);
  for (Size a = 0; a < T; ++a) {
    for (Size b = 0; b < T; ++b) {
      const Size of_query = a / chunk, of_key = b / chunk;
      const Size before = around ? (of_query + chunks - 1) % chunks : of_query - 1;
      const Size i = order[static_cast<std::size_t>(a)], j = order[static_cast<std::size_t>(b)];
      map[static_cast<std::size_t>(i * T + j)] = of_key == of_query || of_key == before ? 1 : 0;
    }
  }
  return Tensor::from(map, {T, T}, DType::float64);
}

Buckets buckets_in_round(const Tensor& queries, const LshAttention& lsh, Size round) {
  return slice(lsh_buckets(queries, lsh.rotations), 0, round, 1).to_ints();
}

Tensor met_in_rounds(const Tensor& queries, const LshAttention& lsh) {
  const Size T = queries.shape()[0];
  std::vector<Tensor> rounds;
  for (Size round = 0; round < lsh.rotations.shape()[0]; ++round) {
    rounds.push_back(reshape(met(buckets_in_round(queries, lsh, round), lsh.chunk, lsh.around), {1, T, T}));
  }
  return kernel::concat(rounds, 0);
}

Tensor in_any(const Tensor& rounds) {
  const Tensor times = kernel::sum(rounds, {0}, false);
  return kernel::cast(kernel::greater(times, Tensor::zeros({}, DType::float64)), DType::float64);
}

Tensor in_order(const Tensor& map, const std::vector<Size>& order) {
  const Size T = map.shape()[0];
  std::vector<double> moved;
  for (const Size i : order) {
    for (const Size j : order) moved.push_back(map.at({i, j}));
  }
  return Tensor::from(moved, {T, T}, DType::float64);
}

Tensor directed(Directions how, Size T, Size d, double length, Rng& rng) {
  constexpr double nearly = 0.1;  // the deviation of what differs between those that nearly agree
  const Tensor own = rng.normal({T, d}, 0, 1, DType::float64), noise = rng.normal({T, d}, 0, nearly, DType::float64);
  std::vector<std::int64_t> model(static_cast<std::size_t>(T));  // whose direction each has
  for (Size i = 0; i < T; ++i) {
    Size of = i;
    if (how == Directions::twins) of = std::min(i, T - 1 - i);
    if (how == Directions::crowded && i % 2 == 0) of = 0;
    model[static_cast<std::size_t>(i)] = of;
  }
  const Var drawn = kernel::add(kernel::take(own, 0, Tensor::from_ints(model, {T})), noise);
  return (length * unit_length(drawn)).value();
}

}  // namespace attend::chapter14
