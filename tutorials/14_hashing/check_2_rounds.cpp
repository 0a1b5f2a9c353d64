// The check of exercise 2: shapes, tiny numbers, properties, gradients, training.
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/random.hpp"
#include "tutorials/14_hashing/exercise_2_rounds.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter14;
using namespace attend::lesson;

namespace {

constexpr Size R = 3, T = 4, K = 3, positions = 6, dv = 2;

// A score for every pair, so that a key has the same one in every round; then what each round meets of them.
struct Inputs {
  Var all_scores, all_values;  // [T, positions], [positions, dv]
  Tensor keys;                 // [R, T, K]

  explicit Inputs(double largest = 1, std::uint64_t seed = 2) {
    Rng rng(seed);
    all_scores = Var::parameter(rng.normal({T, positions}, 0, largest, DType::float64));
    all_values = Var::parameter(rng.normal({positions, dv}, 0, 1, DType::float64));
    std::vector<std::int64_t> drawn;
    for (Size row = 0; row < R * T; ++row) {
      const std::vector<std::int64_t> order = rng.permutation(positions);
      drawn.insert(drawn.end(), order.begin(), order.begin() + K);
    }
    keys = Tensor::from_ints(drawn, {R, T, K});
  }
  Var scores(const Var& all) const {
    Vars rounds;
    for (Size r = 0; r < R; ++r) rounds.push_back(unsqueeze(gather(all, 1, keys_of(r)), 0));
    return concat(rounds, 0);  // [R, T, K]
  }
  Var values(const Var& all) const { return take(all, 0, keys); }  // [R, T, K, dv]
  Tensor keys_of(Size r) const { return reshape(slice(keys, 0, r, 1), {T, K}); }
  Var run(const RoundsAnswer& answer) const { return answer.together(scores(all_scores), keys, values(all_values)); }
};

// In how many rounds each query meets each position: float64 [T, positions].
Tensor times_met(const Tensor& keys) {
  std::vector<double> times(static_cast<std::size_t>(T * positions), 0);
  const std::vector<std::int64_t> all = keys.to_ints();
  for (std::size_t at = 0; at < all.size(); ++at) {
    times[at / K % T * positions + static_cast<std::size_t>(all[at])] += 1;
  }
  return Tensor::from(times, {T, positions}, DType::float64);
}

// By definition: one softmax over all that is met, in which a key met N times counts as `counted(N)` says.
Var defined(const Inputs& in, const std::function<double(double)>& counted) {
  const Tensor times = times_met(in.keys);
  std::vector<double> shift;
  for (const double N : times.to_vector()) shift.push_back(N == 0 ? 0 : std::log(counted(N)));
  const Tensor met = kernel::greater(times, Tensor::zeros({}, DType::float64));
  return matmul(masked_softmax(in.all_scores + Tensor::from(shift, {T, positions}, DType::float64), met),
                in.all_values);
}
Var right(const Inputs& in) {
  return defined(in, [](double) { return 1.0; });
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

// The context of each round by itself, and its log Σ exp, with keys that count 1 / N, as they should, or 1.
struct OfRounds {
  Var o, z;  // [R, T, dv], [R, T, 1]
  OfRounds(const Inputs& in, bool shared_o) {
    Vars N;
    for (Size r = 0; r < R; ++r) N.push_back(unsqueeze(gather(Var(times_met(in.keys)), 1, in.keys_of(r)), 0));
    const Var scores = in.scores(in.all_scores), s = scores - log(concat(N, 0));
    o = squeeze(matmul(unsqueeze(softmax(shared_o ? s : scores), 2), in.values(in.all_values)), {2});
    z = logsumexp(s, {-1}, true);
  }
  Var weighted(const Var& share) const { return sum(share * o, {0}); }
};

std::string bug_of(const Var& given) {
  const Inputs in;
  if (given.shape() == Shape{R, T, dv})
    return "there is still one context for each round: add them up by their weights.";
  if (given.shape() != Shape{T, dv}) return "";
  const OfRounds rounds(in, true), unshared(in, false);
  struct Suspect {
    Var result;
    std::string bug;
  };
  const std::vector<Suspect> suspects = {
      {defined(in, [](double N) { return N; }),
       "a key counts once for each round that meets it: s = scores − log N is missing."},
      {rounds.weighted(softmax(rounds.z * 0.0, 0)),
       "the rounds are averaged. One that has met much weighs as much as one that has met nothing of weight."},
      {rounds.weighted(softmax(rounds.z)),
       "the weights of the rounds add up to R: their softmax goes over the rounds, axis 0."},
      {rounds.weighted(rounds.z / sum(rounds.z, {0}, true)),
       "the weight of a round is z itself. It is exp(z_r − z): a softmax over the rounds."},
      {defined(in, [](double N) { return N * N; }), "log N is added. It must be taken away."},
      {unshared.weighted(softmax(rounds.z, 0)),
       "N counts in z, and not in the weights of a round: the softmax over the keys is one of s, too."},
  };
  for (const Suspect& suspect : suspects) {
    if (close(given.value(), suspect.result.value())) return suspect.bug;
  }
  return "";
}

std::string likely_bug(const RoundsAnswer& answer) {
  const Inputs in;
  return likely_bug_of([&] { return in.run(answer); }, bug_of);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const RoundsAnswer& answer, Steps& steps) {
  const Inputs in;
  expect_shapes(
      steps, "scores, keys " + text(Shape{R, T, K}) + ", values " + text(Shape{R, T, K, dv}), text(Shape{T, dv}),
      [&] { return shape_of(in.run(answer)); }, [&] { return likely_bug(answer); });
}

void check_numbers(const RoundsAnswer& answer, Steps& steps) {
  const Inputs in;
  const Var wanted = right(in), given = in.run(answer);
  for (Size i = 0; i < T; ++i) {
    const Tensor expected = slice(wanted, 0, i, 1).value(), yours = slice(given, 0, i, 1).value();
    if (close(yours, expected)) continue;
    throw Mistake(fill("3 rounds of 3 keys: query {} gets\nexpected: {}\nyours:    {}",
                       {count(i), listed(expected), listed(yours)}),
                  likely_bug(answer));
  }
  steps.passed("four queries, three rounds of three keys");
}

void check_properties(const RoundsAnswer& answer, Steps& steps) {
  for (const std::uint64_t seed : {5, 6, 7}) {
    const Inputs in(1, seed);
    if (close(in.run(answer).value(), right(in).value())) continue;
    throw Mistake("Other draws: the numbers are others than those of one softmax.", likely_bug(answer));
  }
  const Inputs large(1000);
  if (!close(large.run(answer).value(), right(large).value())) {
    throw Mistake("With scores of about 1,000 the numbers are others than those of one softmax.",
                  "exp of a score overflows: use logsumexp and softmax, which take the largest away first.");
  }
  steps.passed("properties: one softmax over all that is met, with large scores too");
}

void check_gradients(const RoundsAnswer& answer, Steps& steps) {
  const Inputs in;
  if (!in.run(answer).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the inputs.", likely_bug(answer));
  }
  expect_gradients(
      steps, "rounds together", [&](const Vars& x) { return answer.together(x[0], in.keys, x[1]); },
      {in.scores(in.all_scores).value(), in.values(in.all_values).value()}, [&] { return likely_bug(answer); });
}

// Scores learn to look at the first key of the first round.
void check_training(const RoundsAnswer& answer, Steps& steps) {
  struct Scores {
    Var all;
    void parameters(const Visit& visit) { visit("all", all); }
  };
  const Inputs in;
  Scores model{in.all_scores};
  const Tensor first_keys = reshape(slice(in.keys_of(0), 1, 0, 1), {T});
  const Var wanted = take(Var(in.all_values.value()), 0, first_keys);
  const auto loss = [&] {
    const Var given = answer.together(in.scores(model.all), in.keys, in.values(in.all_values.value()));
    return mean_squared_error(given, wanted);
  };
  expect_training(steps, model, Adam(0.1), 200, loss, 0.05, "scores learn to look at one key",
                  [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/14_hashing/exercise_2_rounds.cpp", rounds_answers(),
                       {check_shapes, check_numbers, check_properties, check_gradients, check_training});
}
