// record: an op is its forward line and its derivative rules, in one place.
//
//   Var exp(V x) {
//     return record("exp", kernel::exp(x.value()), {x}, [](V g, Out y) { return g * y; });
//   }
//
// A rule keeps what it names. Its parameters say what the backward pass must remember, and the node keeps exactly that:
// In<i> the i-th input, Out the output, Inputs all inputs, Shapes nothing but the inputs' shapes. An input is kept only
// when the rule that reads it will run, and nothing at all when nobody wants a derivative. Rules are written in
// differentiable ops, so derivatives of derivatives fall out.
#pragma once
#include <functional>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

#include "autograd/finite.hpp"
#include "autograd/var.hpp"

namespace attend {

/// How op files spell their arguments.
using V = const Var&;

/// A Var under a name; it converts to const Var& wherever an op takes one.
struct Named {
  const Var& var;
  operator const Var&() const { return var; }
  const Tensor& value() const { return var.value(); }
  const Shape& shape() const { return var.shape(); }
  DType dtype() const { return var.dtype(); }
};
/// The i-th input of the op.
template <int I>
struct In : Named {};
/// Its output (the first of several).
struct Out : Named {};
/// All its inputs.
struct Inputs {
  const Vars& vars;
  const Var& operator[](std::size_t i) const { return vars[i]; }
  std::size_t size() const { return vars.size(); }
};
/// The shapes of its inputs; their numbers are not kept.
struct Shapes {
  const Vars& vars;
  const Shape& operator[](std::size_t i) const { return vars[i].shape(); }
  std::size_t size() const { return vars.size(); }
};

/// Which values a rule reads: a bit per input (the last for all from the 32nd on), and the output.
struct Reads {
  unsigned inputs = 0;
  bool output = false;
  constexpr Reads operator|(Reads other) const { return {inputs | other.inputs, output || other.output}; }
  bool input(std::size_t i) const { return inputs >> (i < 31 ? i : 31) & 1u; }
};

/// The derivative of one op, as its node keeps it.
class Pullback {
 public:
  virtual ~Pullback() = default;
  /// The cotangents of the inputs, from those of the outputs. Cotangents of outputs that nothing used are undefined; so
  /// are those returned for inputs with `wanted[i]` false. A result may still have the broadcast shape.
  virtual Vars operator()(const Vars& cotangents, const Vars& inputs, const Var& output,
                          const std::vector<bool>& wanted) const = 0;
};

/// A step of a history. Its inputs and output carry numbers only where a rule reads them, else their shapes alone.
struct Node {
  const char* op;
  const std::uint64_t id;  // a node is younger than its inputs: ids give the order of the backward pass
  Vars inputs;
  std::vector<Tensor> outputs;
  std::unique_ptr<Pullback> pullback;  // none: a leaf
  std::vector<Tensor> halves;  // copies of the outputs in half, of those that products under Autocast have taken

  /// The id that the next node will get: all older nodes have a smaller one.
  static std::uint64_t next_id();

  explicit Node(const char* op);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
};

namespace detail {

// What a rule's parameter stands for, and what it reads.
template <class Argument>
struct Parameter;
template <int I>
struct Parameter<In<I>> {
  static constexpr Reads reads{1u << I, false};
  static In<I> pick(const Vars& inputs, const Var&) { return {{inputs[I]}}; }
};
template <>
struct Parameter<Out> {
  static constexpr Reads reads{0, true};
  static Out pick(const Vars&, const Var& output) { return {{output}}; }
};
template <>
struct Parameter<Inputs> {
  static constexpr Reads reads{~0u, false};
  static Inputs pick(const Vars& inputs, const Var&) { return {inputs}; }
};
template <>
struct Parameter<Shapes> {
  static constexpr Reads reads{};
  static Shapes pick(const Vars& inputs, const Var&) { return {inputs}; }
};

template <class Result, class Rule, class Cotangent, class... Arguments>
constexpr Reads reads_of(Result (Rule::*)(Cotangent, Arguments...) const) {
  return (Reads{} | ... | Parameter<Arguments>::reads);
}
template <class Rule, class Result, class Cotangent, class... Arguments, class G>
Result call_rule(const Rule& rule, Result (Rule::*)(Cotangent, Arguments...) const, const G& g, const Vars& inputs,
                 const Var& output) {
  return rule(g, Parameter<Arguments>::pick(inputs, output)...);
}

// One rule for each input.
template <class... Rules>
class RuleEach final : public Pullback {
 public:
  explicit RuleEach(Rules... rules) : rules_(std::move(rules)...) {}
  Vars operator()(const Vars& cotangents, const Vars& inputs, const Var& output,
                  const std::vector<bool>& wanted) const override {
    Vars results(inputs.size());
    each(cotangents[0], inputs, output, wanted, results, std::index_sequence_for<Rules...>());
    return results;
  }

 private:
  template <std::size_t... I>
  void each(const Var& g, const Vars& inputs, const Var& output, const std::vector<bool>& wanted, Vars& results,
            std::index_sequence<I...>) const {
    ((wanted[I] ? void(results[I] = call_rule(std::get<I>(rules_), &Rules::operator(), g, inputs, output)) : void()),
     ...);
  }
  std::tuple<Rules...> rules_;
};

// One rule for all inputs, where their derivatives share work. It takes one cotangent, or all of them as Vars.
template <class Rule>
class RuleForAll final : public Pullback {
 public:
  explicit RuleForAll(Rule rule) : rule_(std::move(rule)) {}
  Vars operator()(const Vars& cotangents, const Vars& inputs, const Var& output,
                  const std::vector<bool>&) const override {
    return call(&Rule::operator(), cotangents, inputs, output);
  }

 private:
  template <class Cotangent, class... Arguments>
  Vars call(Vars (Rule::*member)(Cotangent, Arguments...) const, const Vars& cotangents, const Vars& inputs,
            const Var& output) const {
    if constexpr (std::is_same_v<std::decay_t<Cotangent>, Vars>) {
      return call_rule(rule_, member, cotangents, inputs, output);
    } else {
      return call_rule(rule_, member, cotangents[0], inputs, output);
    }
  }
  Rule rule_;
};

using Refs = std::initializer_list<std::reference_wrapper<const Var>>;

// Whether any derivative is wanted here at all.
template <class Inputs>
bool wanted(const Inputs& inputs) {
  if (!recording()) return false;
  for (const Var& input : inputs) {
    if (input.needs_grad()) return true;
  }
  return false;
}

void check_value(const char* op, const Tensor& value, Refs inputs);

template <class Inputs>  // Refs or Vars
Var make_one(const char* op, Tensor value, const Inputs& inputs, std::unique_ptr<Pullback> pullback, Reads reads);
Vars make(const char* op, std::vector<Tensor> values, const Vars& inputs, std::unique_ptr<Pullback> pullback,
          Reads reads);

}  // namespace detail

/// The value of an op with one rule per input, in their order. Each rule maps the output's cotangent g, and whatever
/// else it names, to its input's cotangent; the engine sums that to the input's shape, so no rule needs to know of
/// broadcasting (the one of `*` does: it sums without keeping the products).
template <class... Rules>
Var record(const char* op, Tensor value, detail::Refs inputs, Rules... rules) {
  if (FiniteWatch::on()) detail::check_value(op, value, inputs);
  if (!detail::wanted(inputs)) return Var(std::move(value));
  constexpr Reads each[] = {detail::reads_of(&Rules::operator())...};
  Reads reads;
  std::size_t i = 0;
  for (const Var& input : inputs) {
    if (input.needs_grad()) reads = reads | each[i];
    ++i;
  }
  auto pullback = std::make_unique<detail::RuleEach<Rules...>>(std::move(rules)...);
  return detail::make_one(op, std::move(value), inputs, std::move(pullback), reads);
}

/// The value of an op with one rule for all inputs: Vars rule(V g, ...), with a result per input.
template <class Rule>
Var record_joint(const char* op, Tensor value, const Vars& inputs, Rule rule) {
  if (FiniteWatch::on()) detail::check_values(op, {value}, inputs);
  if (!detail::wanted(inputs)) return Var(std::move(value));
  constexpr Reads reads = detail::reads_of(&Rule::operator());
  return detail::make_one(op, std::move(value), inputs, std::make_unique<detail::RuleForAll<Rule>>(std::move(rule)),
                          reads);
}

/// The values of an op with several outputs: Vars rule(const Vars& gs, ...), one cotangent per output, undefined where
/// an output was not used. As slices of one output, T time steps would cost T² work.
template <class Rule>
Vars record_outputs(const char* op, std::vector<Tensor> values, const Vars& inputs, Rule rule) {
  if (FiniteWatch::on()) detail::check_values(op, values, inputs);
  if (!detail::wanted(inputs)) return Vars(values.begin(), values.end());
  constexpr Reads reads = detail::reads_of(&Rule::operator());
  return detail::make(op, std::move(values), inputs, std::make_unique<detail::RuleForAll<Rule>>(std::move(rule)),
                      reads);
}

}  // namespace attend
