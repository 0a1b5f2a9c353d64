#pragma once

#include <vector>

#include "tensor/random.hpp"
#include "tensor/tensor.hpp"
#include "tutorials/lesson/translation/vocabulary.hpp"

/// Several texts as one tensor.

namespace attend::translation {

/// Texts of different lengths side by side, each row filled up with `Vocabulary::pad`.
struct Batch {
  Tensor ids;      // int64 [B, T], T the longest
  Tensor lengths;  // int64 [B], without the padding
};

/// What encloses each row: nothing, as an encoder reads it, or `begin` and `end`. A decoder reads the latter without
/// its last column and is to write it without its first: [begin a b] -> [a b end].
enum class Enclose { no, begin_and_end };

/// Throws std::invalid_argument when there is no text, or only empty rows: no tensor holds them.
Batch batch_of(const Vocabulary& vocabulary, const std::vector<Tokens>& texts, Enclose enclose = Enclose::no);

/// 0 .. lengths.size() − 1 in groups of `batch_size` (the last may be smaller) for one pass over the texts: in random
/// order, yet with texts of similar length together, so that little is padding. Texts are mixed at random, sorted by
/// length within pools of `pool` batches, and the batches are mixed again. Throws std::invalid_argument for sizes
/// below 1.
std::vector<std::vector<Size>> buckets(const std::vector<Size>& lengths, Size batch_size, Rng& rng, Size pool = 16);

}  // namespace attend::translation
