// The check of exercise 1: shapes, tiny numbers, properties.
#include <algorithm>

#include "tensor/random.hpp"
#include "tutorials/14_hashing/exercise_1_meet.hpp"
#include "tutorials/14_hashing/pairs.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter14;
using namespace attend::lesson;

namespace {

struct Inputs {
  Tensor queries, rotation;
  Inputs(Size T, Size d, Size buckets, std::uint64_t seed = 3) {
    Rng rng(seed);
    queries = rng.normal({T, d}, 0, 1, DType::float64);
    rotation = rng.normal({d, buckets / 2}, 0, 1, DType::float64);
  }
  Buckets buckets() const { return lsh_buckets(queries, unsqueeze(rotation, 0)).to_ints(); }
};

Sees without_itself(const Tensor& met) {
  const Size T = met.shape()[0];
  Sees sees;
  for (Size i = 0; i < T; ++i) {
    sees.emplace_back();
    for (Size j = 0; j < T; ++j) sees.back().push_back(i != j && met.at({i, j}) > 0);
  }
  return sees;
}

Sees right(const Inputs& in, Size chunk) { return without_itself(met(in.buckets(), chunk, false)); }

bool square(const Sees& sees, Size T) {
  if (static_cast<Size>(sees.size()) != T) return false;
  for (const std::vector<bool>& row : sees) {
    if (static_cast<Size>(row.size()) != T) return false;
  }
  return true;
}

std::string keys_of(const std::vector<bool>& row) {
  std::string text;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (row[j]) text += (text.empty() ? "" : ", ") + std::to_string(j);
  }
  return text.empty() ? "none" : text;
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

// Buckets of another hash: argmax of what `change` makes of x R.
template <class Change>
Buckets hashed_by(const Inputs& in, Change change) {
  return kernel::argmax(change(kernel::matmul(in.queries, in.rotation)), -1, false).to_ints();
}

// Equal buckets, the later position first: those of the reversed sequence, reversed.
Sees latest_first(const Inputs& in, Size chunk) {
  Buckets reversed = in.buckets();
  std::reverse(reversed.begin(), reversed.end());
  Sees sees = without_itself(met(reversed, chunk, false));
  std::reverse(sees.begin(), sees.end());
  for (std::vector<bool>& row : sees) std::reverse(row.begin(), row.end());
  return sees;
}

struct Suspect {
  Sees sees;
  std::string bug;
};

std::vector<Suspect> suspects(const Inputs& in, Size chunk) {
  const Buckets buckets = in.buckets();
  const auto T = buckets.size();
  const auto opposite = [](const Tensor& x) { return kernel::affine(x, -1, 0); };
  const Sees correct = right(in, chunk);
  Sees itself = correct, own_bucket = correct, after = correct;
  for (std::size_t i = 0; i < T; ++i) {
    itself[i][i] = true;
    for (std::size_t j = 0; j < T; ++j) {
      own_bucket[i][j] = correct[i][j] && buckets[i] == buckets[j];
      after[i][j] = correct[j][i];  // who looks back at me
    }
  }
  Sees own_chunk = correct;
  for (std::size_t i = 0; i < T; ++i) {
    for (std::size_t j = 0; j < T; ++j) own_chunk[i][j] = correct[i][j] && correct[j][i];
  }
  const Buckets all_alike(T, 0);
  return {
      {Sees(T, std::vector<bool>(T, false)), "the hole is not filled: nobody sees anybody."},
      {without_itself(met(hashed_by(in, [](const Tensor& x) { return x; }), chunk, false)),
       "only half of the buckets are there: argmax goes over [x R ; −x R]."},
      {without_itself(met(hashed_by(in, [](const Tensor& x) { return kernel::abs(x); }), chunk, false)),
       "opposite directions fall into one bucket: |x R| forgets the sign."},
      {without_itself(met(hashed_by(in,
                                    [&](const Tensor& x) {
                                      return kernel::concat({opposite(x), x}, -1);
                                    }),
                          chunk, false)),
       "argmin in place of argmax, or [−x R ; x R]: the buckets have other numbers, and so another order."},
      {without_itself(met(all_alike, chunk, false)),
       "the positions are never sorted, or places in the order are taken for positions: at place a stands order[a]. "
       "This is a window over the sequence, whatever the directions."},
      {latest_first(in, chunk), "in a bucket, the earlier position first: sort by (bucket, position), stably."},
      {itself, "a query sees itself. No key is as near to it as its own."},
      {own_chunk, "a query sees its own chunk alone. The one before belongs to it, too."},
      {after, "a query sees the chunk after its own, and not the one before."},
      {without_itself(met(buckets, chunk, true)), "the first chunk looks back at the last. Here, at nothing."},
      {own_bucket, "a query sees all of two chunks, whatever its bucket is, and not its own bucket alone."},
  };
}

std::string likely_bug(const MeetAnswer& answer) {
  const Inputs in(12, 4, 6);
  try {
    const Sees given = answer.meet(in.queries, in.rotation, 3);
    if (!square(given, 12)) return "the result has T rows of T.";
    for (const Suspect& suspect : suspects(in, 3)) {
      if (given == suspect.sees) return suspect.bug;
    }
  } catch (const std::exception& error) {
    return std::string("an op does not like its arguments: ") + error.what();
  }
  return "none of the usual ones. Print the buckets, then the order, then the chunk of every position.";
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const MeetAnswer& answer, Steps& steps) {
  const Inputs in(6, 3, 4);
  if (!square(answer.meet(in.queries, in.rotation, 2), 6)) {
    throw Mistake("queries [6, 3], chunks of 2: the result is not 6 rows of 6.", likely_bug(answer));
  }
  steps.passed("queries [6, 3], rotation [3, 2], chunks of 2: 6 rows of 6");
}

void check_numbers(const MeetAnswer& answer, Steps& steps) {
  const Inputs in(12, 4, 6);
  const Sees given = answer.meet(in.queries, in.rotation, 3), expected = right(in, 3);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (given[i] == expected[i]) continue;
    throw Mistake(fill("12 queries, 6 buckets, chunks of 3: query {} sees the keys\nexpected: {}\nyours:    {}",
                       {count(static_cast<Size>(i)), keys_of(expected[i]), keys_of(given[i])}),
                  likely_bug(answer));
  }
  steps.passed("12 queries, 6 buckets, chunks of 3");
}

void check_properties(const MeetAnswer& answer, Steps& steps) {
  for (const Size chunk : {1, 4, 5, 11, 40}) {
    const Inputs in(11, 4, 8, 5);
    if (answer.meet(in.queries, in.rotation, chunk) == right(in, chunk)) continue;
    throw Mistake(fill("11 queries, chunks of {}: other keys than by definition.", {count(chunk)}), likely_bug(answer));
  }
  steps.passed("properties: chunks of 1, one chunk for all, a shorter last chunk");
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/14_hashing/exercise_1_meet.cpp", meet_answers(),
                       {check_shapes, check_numbers, check_properties});
}
