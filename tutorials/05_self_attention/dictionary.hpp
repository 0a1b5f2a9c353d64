#pragma once
#include "nn/attention/attended.hpp"
#include "tensor/random.hpp"

/// A dictionary whose entries are all given back at once, each with a weight.

namespace attend::chapter05 {

/// A row of keys and a row of values is an entry; float64.
struct Dictionary {
  Tensor keys;    // [entries, d]
  Tensor values;  // [entries, value_size]
};

/// Keys of length 1, each orthogonal to all others. Throws std::invalid_argument when there are more entries than d.
Dictionary orthonormal_dictionary(Size entries, Size d, Size value_size, Rng& rng);

/// The same values under keys that overlap with their neighbours, each three times as long as the one before it.
Dictionary overlapping_dictionary(const Dictionary& orthonormal);

/// What a query [d] gets: the weight of each entry, and their weighted sum.
struct Answer {
  Tensor weights;  // [entries]
  Tensor value;    // [value_size]
};
Answer look_up(const Dictionary& dictionary, const Tensor& query);

/// The query that asks for an entry: `sharpness` times its key.
Tensor query_for(const Dictionary& dictionary, Size entry, double sharpness);

/// The weight of the entry asked for, among orthonormal keys:  eᶜ / (eᶜ + entries − 1).
double right_weight(Size entries, double sharpness);

}  // namespace attend::chapter05
