// Wrong answers to exercise 2, each with the bug that the check must name.
#include <algorithm>

#include "tutorials/08_transformer/exercise_2_greedy.hpp"

namespace attend::chapter08 {

using namespace translation;

namespace {

enum class Fault { always_begin, new_cache, goes_on, keeps_end, stops_with_the_first, one_too_many, repeats_cache };

// Greedy decoding with one of the faults.
template <Fault fault>
std::vector<Ids> faulty(const Transformer& model, const Memory& memory, Size texts, Size longest) {
  const auto count = static_cast<std::size_t>(texts);
  std::vector<Ids> written(count);
  std::vector<bool> ended(count);
  Ids last(count, Vocabulary::begin);
  Cache cache;
  const Size steps = fault == Fault::one_too_many ? longest + 1 : longest;
  for (Size i = 0; i < steps; ++i) {
    if (fault == Fault::new_cache) cache = Cache();
    if (fault == Fault::always_begin) last.assign(count, Vocabulary::begin);
    if (fault == Fault::repeats_cache) model.step(Tensor::from_ints(last, {texts}), memory, cache);
    last = argmax(model.step(Tensor::from_ints(last, {texts}), memory, cache).scores, -1).to_ints();
    for (std::size_t b = 0; b < count; ++b) {
      const bool was_going = !ended[b];
      if (last[b] == Vocabulary::end) ended[b] = true;
      const bool keep = fault == Fault::keeps_end ? was_going
                        : fault == Fault::goes_on ? last[b] != Vocabulary::end
                                                  : !ended[b];
      if (keep) written[b].push_back(last[b]);
    }
    const bool one_ended = std::find(ended.begin(), ended.end(), true) != ended.end();
    if (fault == Fault::stops_with_the_first && one_ended) break;
  }
  return written;
}

std::vector<Ids> unsolved(const Transformer&, const Memory&, Size texts, Size) {
  return std::vector<Ids>(static_cast<std::size_t>(texts));
}

}  // namespace

std::vector<GreedyAnswer> greedy_answers() {
  return {{"nothing", unsolved, "not filled"},
          {"always begin", faulty<Fault::always_begin>, "reads begin again"},
          {"a new cache at every step", faulty<Fault::new_cache>, "made anew"},
          {"every word read twice", faulty<Fault::repeats_cache>, "twice"},
          {"goes on behind the end", faulty<Fault::goes_on>, "goes on"},
          {"the end kept", faulty<Fault::keeps_end>, "the end itself"},
          {"stops with the first", faulty<Fault::stops_with_the_first>, "the first text"},
          {"one too many", faulty<Fault::one_too_many>, "one word too many"}};
}

}  // namespace attend::chapter08
