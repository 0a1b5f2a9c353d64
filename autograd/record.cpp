#include "autograd/record.hpp"

#include <atomic>

#include "tensor/live.hpp"

template class std::vector<attend::Var>;

namespace attend {
namespace {

std::atomic<std::uint64_t> ids{0};
thread_local bool recording_now = true;

// The node of an op, with of its inputs only what the rules read.
template <class Inputs>
std::shared_ptr<Node> new_node(const char* op, const Inputs& inputs, std::unique_ptr<Pullback> pullback, Reads reads) {
  auto node = std::make_shared<Node>(op);
  node->inputs.reserve(inputs.size());
  for (const Var& input : inputs) {
    const bool whole = reads.input(node->inputs.size());
    node->inputs.emplace_back(whole ? input.value() : input.value().without_data(), input.node(), input.output());
  }
  node->pullback = std::move(pullback);
  return node;
}

}  // namespace

bool recording() { return recording_now; }
Recording::Recording(bool on) : before_(recording_now) { recording_now = on; }
Recording::~Recording() { recording_now = before_; }

Var Var::parameter(Tensor value) {
  check_floating("parameter", value);
  return Var(std::move(value), std::make_shared<Node>("leaf"));
}

std::uint64_t Node::next_id() { return ids.load(std::memory_order_relaxed); }

Node::Node(const char* name) : op(name), id(ids.fetch_add(1, std::memory_order_relaxed)) { count_node(+1); }

// Frees a chain of any length without recursion: the first destructor on a thread takes the inputs of all that follow
// from a queue, where each destructor that it sets off leaves its own.
Node::~Node() {
  count_node(-1);
  if (inputs.empty()) return;
  static thread_local std::vector<Vars>* queue = nullptr;
  if (queue) {
    queue->push_back(std::move(inputs));
    return;
  }
  std::vector<Vars> waiting;
  queue = &waiting;
  waiting.push_back(std::move(inputs));
  while (!waiting.empty()) {
    Vars freed = std::move(waiting.back());
    waiting.pop_back();
  }
  queue = nullptr;
}

void detail::check_value(const char* op, const Tensor& value, Refs inputs) {
  check_values(op, {value}, Vars(inputs.begin(), inputs.end()));
}

template <class Inputs>
Var detail::make_one(const char* op, Tensor value, const Inputs& inputs, std::unique_ptr<Pullback> pullback,
                     Reads reads) {
  auto node = new_node(op, inputs, std::move(pullback), reads);
  node->outputs.push_back(reads.output ? value : value.without_data());
  return Var(std::move(value), std::move(node));
}
template Var detail::make_one(const char*, Tensor, const Refs&, std::unique_ptr<Pullback>, Reads);
template Var detail::make_one(const char*, Tensor, const Vars&, std::unique_ptr<Pullback>, Reads);

Vars detail::make(const char* op, std::vector<Tensor> values, const Vars& inputs, std::unique_ptr<Pullback> pullback,
                  Reads reads) {
  const auto node = new_node(op, inputs, std::move(pullback), reads);
  node->outputs.reserve(values.size());
  Vars results;
  results.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    node->outputs.push_back(reads.output && i == 0 ? values[i] : values[i].without_data());
    results.emplace_back(std::move(values[i]), node, static_cast<unsigned>(i));
  }
  return results;
}

}  // namespace attend
