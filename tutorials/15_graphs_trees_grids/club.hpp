#pragma once
#include <string>
#include <vector>

#include "tutorials/15_graphs_trees_grids/graph_network.hpp"
#include "tutorials/lesson/graph.hpp"

/// Zachary's karate club: 34 members, who met whom outside of the club, and on which side each stood when it split.

namespace attend::chapter15 {

struct Club {
  std::vector<std::int64_t> sides;  // of each member: 0 with Mr Hi, the teacher; 1 with the officer
  Edges edges;                      // both directions, without self-loops
};

/// The graph of a file like karate/karate.tsv, below a header line: first the members, "n", number, side; then the
/// edges, "e", a, b, weight, of which the weight is not read. Throws lesson::DataError, with the line, for anything
/// else.
Club read_club(const std::string& path);

/// The club as a task: a member is known by its number only, one word of its own, and the sides of the first and the
/// last, the teacher and the officer, are shown.
NodeTask club_task(const Club& club);

/// What the network of graph attention makes of it: the side of each member, and the mean over the heads of the first
/// layer's weights, one for each edge of the task.
struct ClubLooks {
  double right;
  Tensor named;                 // int64 [members]
  std::vector<double> weights;  // [E]
};
ClubLooks learn_club(const NodeTask& task, const NodePlan& plan, Rng& rng);

/// A place for each node, within 0 .. 1 on both axes, so that edges are short and nodes apart. Fruchterman and Reingold
/// 1991: all nodes repel each other, edges attract, and the steps become smaller.
std::vector<lesson::Place> spring_layout(const Edges& edges, Size steps, Rng& rng);

/// Who looks at whom, in the colours of the two sides; behind the number of a member that was named wrongly stands an
/// x.
lesson::Graph club_graph(const NodeTask& task, const ClubLooks& looks);

}  // namespace attend::chapter15
