// graph: a picture of a history.
#pragma once
#include "autograd/history.hpp"

namespace attend {

/// The history of y as Graphviz DOT:   std::ofstream("y.dot") << graph(y, {{"w", w}});   and in a shell
/// dot -Tsvg y.dot -o y.svg
/// Numbers flow along the arrows, the backward pass runs against them. An ellipse is an op, with the shapes of its
/// outputs; a box is a leaf; grey text is a constant. Nodes are numbered in the order of the backward pass, so that
/// the same computation always gives the same text. Of more than `most_nodes` the youngest are drawn, with a note on
/// the rest. Throws std::invalid_argument when most_nodes is below 1.
std::string graph(const Var& y, const Names& names = {}, Size most_nodes = 200);

}  // namespace attend
