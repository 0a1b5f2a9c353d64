#include "autograd/checkpoint.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "autograd/autocast.hpp"
#include "autograd/grad.hpp"
#include "autograd/history.hpp"
#include "autograd/record.hpp"

namespace attend {
namespace {

using Function = std::function<Vars(const Vars&, Rng*)>;

thread_local bool recomputing_now = false;

class Recomputing {
 public:
  Recomputing() : before_(recomputing_now) { recomputing_now = true; }
  ~Recomputing() { recomputing_now = before_; }
  Recomputing(const Recomputing&) = delete;
  Recomputing& operator=(const Recomputing&) = delete;

 private:
  bool before_;
};

template <class F>
void check_callable(const F& f) {
  if (!f) throw std::invalid_argument("checkpoint: the function is empty");
}

void check_defined(const char* what, const Vars& vars) {
  for (std::size_t i = 0; i < vars.size(); ++i) {
    if (vars[i].defined()) continue;
    throw std::invalid_argument("checkpoint: " + std::string(what) + " " + std::to_string(i) + " of " +
                                std::to_string(vars.size()) + " is undefined");
  }
}

// What an f has given, for comparing two runs: "float32 [2, 3], float32 [] without derivative".
std::string description(const Vars& results) {
  std::string all;
  for (const Var& result : results) {
    if (!all.empty()) all += ", ";
    all += std::string(text(result.dtype())) + " " + text(result.shape());
    if (!result.needs_grad()) all += " without derivative";
  }
  return all.empty() ? "nothing" : all;
}

// One run of f. Ids of nodes grow, so they tell what was made when: before the run (id < before_), as its arguments, or
// within it (id >= begin_).
class Run {
 public:
  // f does not get the inputs but stand-ins for them, so that going backward ends there: leaves or, where the gradients
  // are to have a history of their own (`linked`), copies whose rule hands the gradient on to the inputs.
  Run(const Function& f, const Vars& inputs, Rng* rng, bool linked) : before_(Node::next_id()) {
    for (const Var& input : inputs) arguments_.push_back(input.needs_grad() ? stand_in(input, linked) : input);
    begin_ = Node::next_id();
    results_ = f(arguments_, rng);
  }

  const Vars& results() const { return results_; }

  // What f has used of what was there before, beside its inputs: ordered by id, so that two runs can be compared.
  Vars captured() const {
    std::map<std::pair<std::uint64_t, unsigned>, Var> found;
    const auto look_at = [&](const Var& x) {
      if (x.needs_grad() && x.node()->id < before_) found.emplace(std::make_pair(x.node()->id, x.output()), x);
    };
    for (const Var& result : results_) look_at(result);
    for (const Node* node : history(results_, begin_)) {
      for (const Var& input : node->inputs) look_at(input);
    }
    Vars vars;
    for (const auto& [place, x] : found) vars.push_back(x);
    return vars;
  }

  // The gradients of the arguments and of `captured`, where wanted. The results are gone afterwards.
  Vars gradients(const Vars& cotangents, const Vars& captured, const std::vector<bool>& wanted, bool create_graph) {
    Vars all = arguments_, asked;
    all.insert(all.end(), captured.begin(), captured.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (wanted[i]) asked.push_back(all[i]);
    }
    const Vars found = grad_within(std::move(results_), cotangents, asked, begin_, create_graph);
    Vars gradients(all.size());
    auto next = found.begin();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (wanted[i]) gradients[i] = *next++;
    }
    return gradients;
  }

 private:
  static Var stand_in(const Var& x, bool linked) {
    return linked ? record("link", x.value(), {x}, [](V g) { return g; }) : Var::parameter(x.value());
  }

  std::uint64_t before_, begin_;
  Vars arguments_, results_;
};

class CheckpointPullback final : public Pullback {
 public:
  CheckpointPullback(Function f, std::optional<Rng> rng, std::size_t own_inputs, std::string described)
      : f_(std::move(f)), rng_(std::move(rng)), own_inputs_(own_inputs), described_(std::move(described)) {}

  // `inputs` are those of f, then what f captures.
  Vars operator()(const Vars& cotangents, const Vars& inputs, const Var&,
                  const std::vector<bool>& wanted) const override {
    const bool create_graph = recording();
    const auto end_of_own = inputs.begin() + static_cast<std::ptrdiff_t>(own_inputs_);
    Run again = run_again(Vars(inputs.begin(), end_of_own), create_graph);
    const Vars captured(end_of_own, inputs.end());
    check_captured(captured, again.captured());
    check_results(description(again.results()));
    return again.gradients(cotangents, captured, wanted, create_graph);
  }

 private:
  Run run_again(const Vars& own, bool create_graph) const {
    const Recomputing again;
    const Recording on(true);
    const Autocast same(autocast_);
    std::optional<Rng> rng = rng_;
    return Run(f_, own, rng ? &*rng : nullptr, create_graph);
  }

  static void check_captured(const Vars& before, const Vars& now) {
    const auto same = [](const Var& a, const Var& b) { return a.node() == b.node() && a.output() == b.output(); };
    if (std::equal(before.begin(), before.end(), now.begin(), now.end(), same)) return;
    throw std::invalid_argument(
        "checkpoint: run again for its backward pass, the function uses other Vars than in the forward pass (" +
        std::to_string(now.size()) + " against " + std::to_string(before.size()) +
        " beside its inputs); call grad before an optimizer puts new parameters in the place of the old, or let the "
        "function hold the layer by value");
  }

  void check_results(const std::string& now) const {
    if (now == described_) return;
    throw std::invalid_argument(
        "checkpoint: run again for its backward pass, the function gives other results than in the forward pass: " +
        now + " against " + described_);
  }

  const Function f_;
  const std::optional<Rng> rng_;
  const std::size_t own_inputs_;
  const std::string described_;  // the results of the first run, as `description` tells them
  const DType autocast_ = Autocast::dtype();
};

}  // namespace

Vars checkpoint_outputs(const Function& f, const Vars& inputs, Rng* rng) {
  check_callable(f);
  check_defined("input", inputs);
  if (!recording()) return f(inputs, rng);
  std::optional<Rng> state;
  if (rng) state = *rng;

  Vars all = inputs;
  std::vector<Tensor> values;
  std::vector<bool> varies;
  std::string described;
  {
    // What is recorded here tells what f captures, and goes at the end of this scope.
    const Run run(f, inputs, rng, false);
    check_defined("result", run.results());
    const Vars others = run.captured();
    all.insert(all.end(), others.begin(), others.end());
    described = description(run.results());
    for (const Var& result : run.results()) {
      values.push_back(result.value());
      varies.push_back(result.needs_grad());
    }
  }
  if (std::count(varies.begin(), varies.end(), true) == 0) return Vars(values.begin(), values.end());

  // Bit 31 of Reads stands for all inputs from there on.
  const Reads own = {inputs.size() < 31 ? (1u << inputs.size()) - 1 : ~0u, false};
  auto pullback = std::make_unique<CheckpointPullback>(f, std::move(state), inputs.size(), std::move(described));
  Vars results = detail::make("checkpoint", std::move(values), all, std::move(pullback), own);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!varies[i]) results[i] = detach(results[i]);
  }
  return results;
}

Var checkpoint(const std::function<Var(const Vars&, Rng*)>& f, const Vars& inputs, Rng* rng) {
  check_callable(f);
  return checkpoint_outputs([f](const Vars& xs, Rng* own) { return Vars{f(xs, own)}; }, inputs, rng)[0];
}

Var checkpoint(const std::function<Var(const Vars&)>& f, const Vars& inputs) {
  check_callable(f);
  return checkpoint_outputs([f](const Vars& xs, Rng*) { return Vars{f(xs)}; }, inputs, nullptr)[0];
}

Var checkpoint_sequential(const std::vector<ChainLayer>& layers, const Var& x, Size segments, Rng* rng) {
  const Size n = static_cast<Size>(layers.size());
  if (segments < 1 || segments > n) {
    throw std::invalid_argument("checkpoint_sequential: " + std::to_string(segments) + " segments of " +
                                std::to_string(n) + " layers");
  }
  Var y = x;
  for (Size segment = 0; segment < segments; ++segment) {
    const auto first = layers.begin() + segment * n / segments, last = layers.begin() + (segment + 1) * n / segments;
    const std::vector<ChainLayer> part(first, last);
    const auto run = [part](const Vars& in, Rng* own) {
      Var out = in[0];
      for (const ChainLayer& layer : part) out = layer(out, own);
      return out;
    };
    y = segment + 1 < segments ? checkpoint(run, {y}, rng) : run({y}, rng);
  }
  return y;
}

bool recomputing() { return recomputing_now; }

}  // namespace attend
