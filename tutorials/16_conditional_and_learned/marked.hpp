#pragma once
#include "nn/attention/core.hpp"

/// A heap of keys, some of them marked: the query wants the mean of the values of just these.

namespace attend::chapter16 {

/// A batch of heaps: x [B, T, 4], of which the numbers are 1 for a marked key, 1 for a query that is asked nothing, and
/// two of noise; values [B, T, 1], between 1 and 2; answers [B, T, 1] of each position as a query.
constexpr Size reader_width = 4;  // d of queries and keys

struct Heap {
  Tensor x, values, answers, marked;  // marked: bool [B, T]
};

/// What is wanted of the marked values.
enum class Wanted { mean, sum };

struct HeapTask {
  Size fewest = 3, most = 3;  // how many keys are marked: drawn between them
  double silent = 0;          // the share of the queries whose answer is 0
  Wanted wanted = Wanted::mean;
};
Heap draw_heap(const HeapTask& task, Size batch, Size T, Rng& rng);

/// One head: q = x W_q + b, k = x W_k, and the values as they are.
struct Reader {
  Linear query, key;
  AttentionCore core;

  Reader(const AttentionCore& any, Rng& rng);
  Attended operator()(const Heap& heap) const;
  void parameters(const Visit& visit);
};

struct ReaderPlan {
  Size steps = 400, batch = 32, positions = 16;
  double learning_rate = 0.03;
};
Reader train_reader(const AttentionCore& core, const HeapTask& task, const ReaderPlan& plan, Rng& rng);

/// The root of the mean squared error of its answers.
double error_of(const Reader& reader, const Heap& heap);

/// The share of queries whose weights are above 0 at the marked keys, and nowhere else.
double exact_supports(const Reader& reader, const Heap& heap);

}  // namespace attend::chapter16
