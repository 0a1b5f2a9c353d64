#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tensor/random.hpp"
#include "tutorials/lesson/size.hpp"

/// Tasks that need positions to look at each other over a distance, drawn anew for every batch. The comparison of the
/// variants of attention and the chapters on them use these.

namespace attend::lesson {

/// Inputs and answers, int64 [B, T]: one of each for every position. An answer of −1 does not count.
struct SequenceBatch {
  Tensor input, answer;
};

/// A task: how long its sequences are, how many symbols they are made of, and how a batch of them is drawn.
struct SequenceTask {
  std::string name;
  Size length, symbols;
  bool causal;  // whether a position may see what comes after it
  std::function<SequenceBatch(Size batch, Rng& rng)> draw;
};

/// The answer is the input backwards. Position i must see position T − 1 − i, up to T − 1 away.
SequenceTask reversal_task(Size length = 32, Size symbols = 10);

/// The answer is the input in ascending order: position i needs all positions at once.
SequenceTask sorting_task(Size length = 32, Size symbols = 10);

/// The answer is the symbol `back` positions before; at the first `back` positions nothing is asked.
SequenceTask copy_task(Size back = 3, Size length = 32, Size symbols = 10);

/// Associative recall with several queries. Arora et al. 2023 (arXiv:2312.04927). First come `pairs` of a key and a
/// value; then each key comes once more, in random order, and the answer there is the value that it had. Keys are the
/// first half of the symbols, no two of a sequence alike; values the second. Causal, 3 · pairs positions.
SequenceTask recall_task(Size pairs = 8, Size symbols = 64);

}  // namespace attend::lesson
