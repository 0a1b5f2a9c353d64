#include "autograd/graph.hpp"

#include <cstdio>
#include <stdexcept>
#include <unordered_map>

namespace attend {
namespace {

// The text as the inside of a DOT string. "\n" stays what it is for DOT, a line break.
std::string escaped(const std::string& text) {
  std::string out;
  for (char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string shapes_of(const Node& node) {
  std::string shapes;
  for (const Tensor& output : node.outputs) shapes += (shapes.empty() ? "" : ", ") + text(output.shape());
  return shapes;
}

// A number, where it is one and was kept, else the shape.
std::string constant_label(const Tensor& value) {
  if (value.size() != 1 || !value.has_data()) return "constant\\n" + text(value.shape());
  char number[32];
  std::snprintf(number, sizeof number, "%.4g", value.item());
  return number;
}

class Drawing {
 public:
  Drawing(const Var& y, const Names& names, std::size_t most_nodes) : nodes_(history(y)) {
    if (nodes_.size() > most_nodes) {
      left_out_ = nodes_.size() - most_nodes;
      nodes_.resize(most_nodes);
    }
    for (const Node* node : nodes_) numbers_.emplace(node, numbers_.size() + 1);
    // A leaf does not know its shape and no node its names: the Vars that point to them do.
    shapes_.emplace(y.node().get(), y.shape());
    for (const Node* node : nodes_) {
      for (const Var& input : node->inputs) shapes_.emplace(input.node().get(), input.shape());
    }
    for (const auto& [name, x] : names) {
      std::string& known = names_[x.node().get()];
      known += (known.empty() ? "" : ", ") + name;
    }
  }

  std::string draw() {
    line("digraph history {");
    line("  node [shape = ellipse, fontname = \"sans-serif\"];");
    for (const Node* node : nodes_) draw_node(*node);
    if (left_out_ > 0) {
      line("  older [shape = plaintext, label = \"and " + std::to_string(left_out_) + " older nodes\"];");
    }
    line("}");
    return text_;
  }

 private:
  void line(const std::string& text) { text_ += text + '\n'; }

  std::string label(const Node& node) const {
    const auto name = names_.find(&node);
    const bool leaf = !node.pullback;
    std::string label = name == names_.end() ? "" : escaped(name->second) + (leaf ? "" : " = ");
    if (!leaf || label.empty()) label += escaped(node.op);
    return label + "\\n" + (leaf ? text(shapes_.at(&node)) : shapes_of(node));
  }

  void draw_node(const Node& node) {
    const std::string me = "n" + std::to_string(numbers_.at(&node));
    const std::string look = node.pullback ? "" : ", shape = box, style = filled, fillcolor = lightyellow";
    line("  " + me + " [label = \"" + label(node) + "\"" + look + "];");
    for (std::size_t i = 0; i < node.inputs.size(); ++i) draw_edge(me, i, node.inputs[i]);
  }

  void draw_edge(const std::string& me, std::size_t i, const Var& input) {
    if (!input.needs_grad()) {
      const std::string constant = me + "_" + std::to_string(i);
      line("  " + constant + " [label = \"" + constant_label(input.value()) +
           "\", shape = plaintext, fontcolor = gray40];");
      line("  " + constant + " -> " + me + ";");
      return;
    }
    const auto number = numbers_.find(input.node().get());
    const std::string from = number == numbers_.end() ? "older" : "n" + std::to_string(number->second);
    const bool one_of_several = input.node()->outputs.size() > 1;
    line("  " + from + " -> " + me +
         (one_of_several ? " [label = \"output " + std::to_string(input.output()) + "\"];" : ";"));
  }

  std::vector<const Node*> nodes_;
  std::size_t left_out_ = 0;
  std::unordered_map<const Node*, std::size_t> numbers_;
  std::unordered_map<const Node*, Shape> shapes_;
  std::unordered_map<const Node*, std::string> names_;
  std::string text_;
};

}  // namespace

std::string graph(const Var& y, const Names& names, Size most_nodes) {
  if (most_nodes < 1) {
    throw std::invalid_argument("graph: most_nodes is " + std::to_string(most_nodes) + ", not at least 1");
  }
  return Drawing(y, names, static_cast<std::size_t>(most_nodes)).draw();
}

}  // namespace attend
