// The check of exercise 5: what the library says.
#include "nn/attention/graph.hpp"
#include "nn/attention/tree.hpp"
#include "tutorials/15_graphs_trees_grids/grids.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace attend::lesson;

namespace {

double seen_after_two(const std::string& name) {
  double seen = 0;
  for (double weight : seen_from(pixel_core(pixel_cores(), name), 2, 2, 5).to_vector()) seen += weight > 0 ? 1 : 0;
  return seen;
}

std::vector<Riddle> riddles() {
  const Edges edges(Tensor::from(std::vector<double>{0, 1, 2, 2, 2, 2}, {2, 3}, DType::int64), 4);
  const Var prior = constituent_prior(Var(Tensor::from(std::vector<double>{0.5, 0.5, 0.5}, {1, 3}, DType::float64)));

  return {{"Edges 0 → 2, 1 → 2, 2 → 2 of four nodes: how many with self-loops?",
           static_cast<double>(add_self_loops(edges).count()),
           {{7, "node 2 has its edge already."}, {4, "a loop is added where there is none; the others stay."}}},
          {"Three links of 0.5: the prior between the first word and the last?",
           prior.value().at({0, 0, 3}),
           {{1.5, "links do not add up, they multiply."}, {0.5, "there are three links between them."}}},
          {"8 × 8, rows and then columns: pixels seen after two layers?",
           seen_after_two("axial"),
           {{15, "each pixel of the column has seen its own row."}, {8, "that is one layer."}}},
          {"8 × 8, windows of 4 × 4 twice: pixels seen?",
           seen_after_two("windows"),
           {{64, "what is seen never leaves its window."}}}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/15_graphs_trees_grids/exercise_5_predict.cpp", predictions(),
                           riddles());
}
