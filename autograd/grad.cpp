#include "autograd/grad.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"

namespace attend {
namespace {

void add_to(Var& sum, Var term) {
  if (!sum.defined()) {
    sum = std::move(term);
  } else {
    sum = sum + term;
  }
}

Var checked_cotangent(const Var& y, Var gy) {
  if (!gy.defined()) {
    if (y.size() != 1) {
      throw std::invalid_argument("grad: y has shape " + text(y.shape()) +
                                  ", not one element; pass its cotangent gy, or reduce y to a number first");
    }
    return Var(Tensor::ones(y.shape(), y.dtype()));
  }
  check_same_dtype("grad", y.value(), gy.value());
  if (gy.shape() != y.shape()) {
    throw std::invalid_argument("grad: the cotangent has shape " + text(gy.shape()) + ", y has " + text(y.shape()));
  }
  return gy;
}

// A mistake in a rule is told with the op's name, before anything is added up.
void check_results(const Node& node, const Vars& results) {
  if (results.size() != node.inputs.size()) {
    throw std::invalid_argument("grad: the rule of " + std::string(node.op) + " gave " +
                                std::to_string(results.size()) + " cotangents for " +
                                std::to_string(node.inputs.size()) + " inputs");
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Shape& shape = node.inputs[i].shape();
    if (!results[i].defined() || broadcasts_to(shape, results[i].shape())) continue;
    throw std::invalid_argument("grad: the rule of " + std::string(node.op) + " gave " + text(results[i].shape()) +
                                " for input " + std::to_string(i) + " of shape " + text(shape));
  }
}

// One backward pass. A node is younger than its inputs, so among the nodes that have received a cotangent the youngest
// has received all of its cotangents, and is next. No sort of the graph is needed, and no recursion.
class BackwardPass {
 public:
  using Observer = std::function<void(const BackwardStep&)>;

  /// Nodes older than all xs, and those older than `stop`, pass nothing on.
  BackwardPass(const Vars& xs, const Observer& observe, std::uint64_t stop) : observe_(observe) {
    std::uint64_t oldest = ~std::uint64_t{0};
    for (const Var& x : xs) {
      if (!x.needs_grad()) {
        throw std::invalid_argument("grad: x " + text(x.shape()) +
                                    " is a constant; make it with Var::parameter before y is computed");
      }
      asked_[{x.node().get(), x.output()}];
      oldest = std::min(oldest, x.node()->id);
    }
    stop_ = std::max(oldest, stop);
  }

  void send(const Var& to, Var cotangent) {
    Waiting& waiting = waiting_[to.node()->id];
    if (!waiting.node) {
      waiting.node = to.node();
      waiting.cotangents.resize(std::max<std::size_t>(1, to.node()->outputs.size()));
    }
    add_to(waiting.cotangents[to.output()], std::move(cotangent));
  }

  void run() {
    while (!waiting_.empty()) {
      auto youngest = std::prev(waiting_.end());
      const Waiting now = std::move(youngest->second);
      waiting_.erase(youngest);
      if (watched_) detail::check_cotangents(*now.node, now.cotangents);
      collect(now.node.get(), now.cotangents);
      if (now.node->id >= stop_) pull_back(now.node, now.cotangents);
    }
  }

  // A cotangent is computed for what is asked for and for what passes it on.
  bool wants(const Var& x) const {
    if (!x.needs_grad()) return false;
    return (x.node()->pullback && x.node()->id >= stop_) || asked_.count({x.node().get(), x.output()});
  }

  /// Undefined when nothing has reached x.
  const Var& gradient_of(const Var& x) const { return asked_.at({x.node().get(), x.output()}); }

 private:
  struct Waiting {
    std::shared_ptr<Node> node;
    Vars cotangents;  // one per output, undefined where none has come
  };
  using Place = std::pair<const Node*, unsigned>;

  void collect(const Node* node, const Vars& cotangents) {
    for (unsigned output = 0; output < cotangents.size(); ++output) {
      const auto place = asked_.find({node, output});
      if (place != asked_.end()) place->second = cotangents[output];
    }
  }

  void pull_back(const std::shared_ptr<Node>& node, const Vars& cotangents) {
    const Vars& inputs = node->inputs;
    std::vector<bool> wanted(inputs.size());
    bool any = false;
    for (std::size_t i = 0; i < wanted.size(); ++i) any = (wanted[i] = wants(inputs[i])) || any;
    if (!any) {
      if (observe_) observe_({*node, cotangents, Vars(), Vars()});
      return;
    }
    Vars results = (*node->pullback)(cotangents, inputs, Var(node->outputs[0], node), wanted);
    check_results(*node, results);
    const Vars unsummed = observe_ ? results : Vars();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!wanted[i]) results[i] = Var();
      if (results[i].defined() && results[i].shape() != inputs[i].shape()) {
        results[i] = sum_to(results[i], inputs[i].shape());
      }
      if (watched_ && results[i].defined()) detail::check_derivative(*node, i, results[i]);
    }
    if (observe_) observe_({*node, cotangents, unsummed, results});
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (results[i].defined()) send(inputs[i], std::move(results[i]));
    }
  }

  const Observer& observe_;
  std::uint64_t stop_;
  std::map<std::uint64_t, Waiting> waiting_;  // by the node's id
  std::map<Place, Var> asked_;
  // A watch looks at what comes out of a rule, not at each op inside it: what counts is whose derivative it is.
  const bool watched_ = FiniteWatch::on();
  const FiniteWatch not_inside_rules_{false};
  // Rules work in the dtypes that their ops were recorded with.
  const Autocast as_recorded_{DType::float32};
};

// The gradients of Σ gys[i] · ys[i], undefined where nothing has reached an x.
Vars passed_back(Vars ys, Vars gys, const Vars& xs, std::uint64_t oldest, bool create_graph,
                 const BackwardPass::Observer& observe) {
  const Recording mode(create_graph);
  BackwardPass pass(xs, observe, oldest);
  for (std::size_t i = 0; i < ys.size(); ++i) {
    if (gys[i].defined() && pass.wants(ys[i])) pass.send(ys[i], std::move(gys[i]));
  }
  ys.clear();  // from here on the pass alone holds the history of moved-in ys
  pass.run();
  Vars gradients;
  for (const Var& x : xs) gradients.push_back(pass.gradient_of(x));
  return gradients;
}

}  // namespace

Vars grad(Var y, const Vars& xs, Var gy, bool create_graph, const std::function<void(const BackwardStep&)>& observe) {
  Vars ys, gys = {checked_cotangent(y, std::move(gy))};
  ys.push_back(std::move(y));
  Vars gradients = passed_back(std::move(ys), std::move(gys), xs, 0, create_graph, observe);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (!gradients[i].defined()) gradients[i] = Var(Tensor::zeros(xs[i].shape(), xs[i].dtype()));
  }
  return gradients;
}

Vars grad(Var y, const Vars& xs, Var gy, bool create_graph) {
  return grad(std::move(y), xs, std::move(gy), create_graph, nullptr);
}

Vars grad_within(Vars ys, const Vars& gys, const Vars& xs, std::uint64_t oldest, bool create_graph) {
  return passed_back(std::move(ys), gys, xs, oldest, create_graph, nullptr);
}

Var sum_to(const Var& g, const Shape& shape) {
  if (g.shape() == shape) return g;
  const Size lead = g.rank() - shape.size();
  Axes widened;
  for (Size i = 0; i < g.rank(); ++i) {
    if (i < lead || (shape[i - lead] == 1 && g.shape()[i] != 1)) widened.push_back(i);
  }
  return reshape(sum(g, widened, true), shape);
}

}  // namespace attend
