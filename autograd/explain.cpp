#include "autograd/explain.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "autograd/grad.hpp"

namespace attend {
namespace {

constexpr std::size_t widest_numbers = 66;  // of one line of 80 columns
constexpr std::size_t widest_name = 20;

std::string clipped(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

std::string number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value == 0 ? 0.0 : value);  // −0 as 0
  return buffer;
}

// Elements from `next` on as nested brackets: [[1, 2], [3, 4]].
std::string nested(const Shape& shape, Size axis, const std::vector<double>& values, std::size_t& next) {
  if (axis == shape.size()) return number(values[next++]);
  std::string out = "[";
  for (Size i = 0; i < shape[axis]; ++i) out += (i > 0 ? ", " : "") + nested(shape, axis + 1, values, next);
  return out + "]";
}

// A few numbers in full, else shape and norm.
std::string summary(const Tensor& x) {
  if (!x.defined()) return "nothing";
  if (!x.has_data()) return text(x.shape()) + ", not kept: no rule reads it";
  const std::vector<double> values = x.size() <= 1 << 20 ? x.to_vector() : std::vector<double>();
  std::size_t next = 0;
  const std::string full = x.size() <= 8 ? nested(x.shape(), 0, values, next) : "";
  if (!full.empty() && full.size() <= widest_numbers) return full;
  if (values.empty()) return text(x.shape());
  double squares = 0;
  for (double value : values) squares += value * value;
  return text(x.shape()) + ", norm " + number(std::sqrt(squares));
}

// A cotangent on its way, and the step that sent it; 0 is the start.
struct Arrival {
  Tensor cotangent;
  std::size_t from;
};

// One step of the pass, kept until all steps have their numbers.
struct Step {
  const Node* node;
  Vars cotangents, results, sent;
};

// A node and the number of one of its outputs.
using Place = std::pair<const Node*, std::size_t>;
Place place_of(const Var& x) { return {x.node().get(), x.output()}; }

class Explanation {
 public:
  Explanation(const Var& y, const Names& names, const ExplainOptions& options)
      : most_steps_(static_cast<std::size_t>(options.most_steps)) {
    for (const auto& [name, x] : names) {
      if (x.defined() && x.needs_grad()) names_.emplace(place_of(x), clipped(name, widest_name));
    }
    Vars leaves;
    for (const Var& x : vars_of_history(y, names)) {
      // A node keeps its output only where its own rule reads it, but somebody else may have kept it.
      if (x.value().has_data()) values_.emplace(place_of(x), x.value());
      if (!x.node()->pullback) leaves.push_back(x);
    }
    grad(y, leaves, options.gy, false, [&](const BackwardStep& step) { observe(step); });
  }

  std::string tell() {
    for (std::size_t i = 0; i < steps_.size(); ++i) tell_step(i + 1, steps_[i]);
    if (count_ > steps_.size()) text_ += "and " + std::to_string(count_ - steps_.size()) + " more steps\n";
    return text_;
  }

 private:
  // All Vars by which y, the nodes and the names refer to a place of the history.
  static Vars vars_of_history(const Var& y, const Names& names) {
    Vars vars;
    const auto add = [&](const Var& x) {
      if (x.defined() && x.needs_grad()) vars.push_back(x);
    };
    add(y);
    for (const Node* node : history(y)) {
      for (const Var& input : node->inputs) add(input);
    }
    std::unordered_set<const Node*> reached;
    for (const Var& x : vars) reached.insert(x.node().get());
    for (const auto& [name, x] : names) {
      if (x.defined() && x.needs_grad() && reached.count(x.node().get())) vars.push_back(x);
    }
    return vars;
  }

  void observe(const BackwardStep& step) {
    ++count_;
    numbers_[&step.node] = count_;
    if (steps_.size() == most_steps_) return;
    steps_.push_back({&step.node, step.cotangents, step.results, step.sent});
    for (std::size_t i = 0; i < step.sent.size(); ++i) {
      if (step.sent[i].defined()) arrivals_[place_of(step.node.inputs[i])].push_back({step.sent[i].value(), count_});
    }
  }

  // What a place of the history is called: its name, or its step.
  std::string call(const Place& place) const {
    const auto name = names_.find(place);
    if (name != names_.end()) return name->second;
    const auto step = numbers_.find(place.first);
    if (step == numbers_.end()) return std::string(place.first->op) + ", which is not reached";
    const bool one_of_several = place.first->outputs.size() > 1;
    return "#" + std::to_string(step->second) + (one_of_several ? "." + std::to_string(place.second) : "");
  }
  std::string call(const Var& x) const {
    if (x.needs_grad()) return call(place_of(x));
    return x.size() == 1 && x.value().has_data() ? number(x.item()) : "constant " + text(x.shape());
  }

  std::string formula(const Node& node) const {
    if (!node.pullback) return "a leaf";
    std::string arguments;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const std::string next = (i > 0 ? ", " : "") + call(node.inputs[i]);
      if (arguments.size() + next.size() > 36) {
        arguments += ", and " + std::to_string(node.inputs.size() - i) + " more";
        break;
      }
      arguments += next;
    }
    return std::string(node.op) + "(" + arguments + ")";
  }

  std::string value_of(const Place& place) const {
    const auto value = values_.find(place);
    if (value != values_.end()) return summary(value->second);
    const Node& node = *place.first;
    if (place.second >= node.outputs.size()) return "not kept: no rule reads it";
    return summary(node.outputs[place.second]);
  }

  void tell_step(std::size_t number, const Step& step) {
    text_ += std::to_string(number) + (number < 10 ? "  " : " ");
    const std::size_t outputs = step.cotangents.size();
    for (std::size_t i = 0; i < outputs; ++i) {
      const Place place{step.node, i};
      if (i > 0) text_ += "   ";
      text_ += call(place) + (step.node->pullback ? " = " : ", ") + formula(*step.node) +
               (outputs > 1 ? ", output " + std::to_string(i) : "") + "\n";
      line("value", value_of(place));
      tell_arrivals(place, step.cotangents[i]);
    }
    std::size_t told = 0;
    for (std::size_t i = 0; i < step.sent.size(); ++i) {
      if (step.sent[i].defined()) tell_sent(i, step, told++ == 0 ? "sends" : "");
    }
  }

  void tell_arrivals(const Place& place, const Var& total) {
    const auto found = arrivals_.find(place);
    std::size_t terms = 0;
    if (found != arrivals_.end()) {
      for (const Arrival& arrival : found->second) {
        const Node& sender = *steps_[arrival.from - 1].node;
        line(terms++ == 0 ? "receives" : "", summary(arrival.cotangent),
             "from step " + std::to_string(arrival.from) + ", " + sender.op);
      }
    } else if (total.defined()) {
      line("receives", summary(total.value()), "to start with");
    } else {
      line("receives", "nothing: it was not used");
    }
    if (!place.first->pullback) {
      line("gradient", summary(total.value()));
    } else if (terms > 1) {
      line("", "= " + summary(total.value()));
    }
  }

  void tell_sent(std::size_t i, const Step& step, const std::string& label) {
    const Shape &before = step.results[i].shape(), &after = step.sent[i].shape();
    line(label, summary(step.sent[i].value()), "to " + call(step.node->inputs[i]));
    if (before != after) line("", "", "(summed from " + text(before) + " to " + text(after) + ")");
  }

  // "   sends     [1, 2]  to b"; what goes beyond 80 columns with its remark has that on a line of its own.
  void line(const std::string& label, const std::string& what, const std::string& remark = "") {
    std::string line = "   " + label + std::string(10 - label.size(), ' ') + what;
    if (line.size() + 2 + remark.size() > 80) {
      text_ += line + "\n";
      line = std::string(13, ' ');
    }
    text_ += line + (remark.empty() ? "" : "  " + remark) + "\n";
  }

  const std::size_t most_steps_;
  std::size_t count_ = 0;
  std::vector<Step> steps_;
  std::map<Place, std::string> names_;
  std::map<Place, Tensor> values_;
  std::map<Place, std::vector<Arrival>> arrivals_;
  std::unordered_map<const Node*, std::size_t> numbers_;  // the step at which a node's turn comes
  std::string text_;
};

}  // namespace

std::string explain(const Var& y, const Names& names, const ExplainOptions& options) {
  if (options.most_steps < 1) {
    throw std::invalid_argument("explain: most_steps is " + std::to_string(options.most_steps) + ", not at least 1");
  }
  if (!y.needs_grad()) return "a constant " + text(y.shape()) + ": nothing flows back from it\n";
  return Explanation(y, names, options).tell();
}

}  // namespace attend
