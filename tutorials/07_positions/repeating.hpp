#pragma once
#include "tensor/random.hpp"

/// The task: at each position name the token that stands `back` before it. What the tokens are does not help; only
/// where they stand does.

namespace attend::chapter07 {

constexpr Size symbols = 10, back = 3;

/// Random texts, int64 [count, length].
Tensor random_texts(Size count, Size length, Rng& rng);

/// What is to be said at each position, int64 of the same shape: the token `back` before, and −1 (no answer counts) at
/// the first positions, which have none.
Tensor answers_to(const Tensor& texts);

}  // namespace attend::chapter07
