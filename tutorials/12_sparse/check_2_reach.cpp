// The check of exercise 2: shapes, tiny patterns, properties, the zeros of a gradient.
#include <algorithm>
#include <functional>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tensor/random.hpp"
#include "tutorials/12_sparse/exercise_2_reach.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter12;
using namespace attend::lesson;

namespace {

constexpr Size T = 9;

Sees pattern(const std::function<bool(Size, Size)>& sees) {
  Sees rows(T, std::vector<bool>(T));
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = sees(i, j);
  }
  return rows;
}

const Sees window = pattern([](Size i, Size j) { return i - j <= 1 && j - i <= 1; });
const Sees before = pattern([](Size i, Size j) { return j <= i && i - j <= 2; });
const Sees strides = pattern([](Size i, Size j) { return j <= i && (i - j) % 3 == 0; });
const Sees previous = pattern([](Size i, Size j) { return i - j == 1; });  // nobody sees itself
const Sees first = pattern([](Size i, Size j) { return j == 0 || i == j; });

struct Stack {
  std::string name;
  std::vector<Sees> layers;
  Size query;
};

// Each by itself tells some of the mistakes apart.
std::vector<Stack> stacks() {
  return {{"a window of 1 on each side, twice, query 4", {window, window}, 4},
          {"a window of 2 before, then strides of 3, query 8", {before, strides}, 8},
          {"the first position for all, then a window of 1, query 8", {first, window}, 8},
          {"a window of 1, then the first position for all, query 8", {window, first}, 8},
          {"the position before, twice, query 5", {previous, previous}, 5}};
}

// As an oracle the paths: whether one of them leads from position i above `layer` layers to j.
bool path(const std::vector<Sees>& layers, std::size_t layer, Size i, Size j) {
  if (layer == 0) return i == j;
  for (Size m = 0; m < T; ++m) {
    if (layers[layer - 1][static_cast<std::size_t>(i)][static_cast<std::size_t>(m)] && path(layers, layer - 1, m, j)) {
      return true;
    }
  }
  return false;
}

std::vector<bool> right(const std::vector<Sees>& layers, Size query) {
  std::vector<bool> depends;
  for (Size j = 0; j < T; ++j) depends.push_back(path(layers, layers.size(), query, j));
  return depends;
}

std::string listed(const std::vector<bool>& positions) {
  std::string text;
  for (std::size_t j = 0; j < positions.size(); ++j) {
    if (positions[j]) text += (text.empty() ? "" : ", ") + std::to_string(j);
  }
  return text.empty() ? "none" : text;
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

using Field = std::function<std::vector<bool>(const std::vector<Sees>&, Size)>;

std::vector<bool> in_any_layer(const std::vector<Sees>& layers, Size query) {
  std::vector<bool> some(T, false);
  for (const Sees& sees : layers) {
    for (std::size_t j = 0; j < some.size(); ++j) some[j] = some[j] || sees[static_cast<std::size_t>(query)][j];
  }
  return some;
}
std::vector<bool> upwards(std::vector<Sees> layers, Size query) {
  std::reverse(layers.begin(), layers.end());
  return right(layers, query);
}
std::vector<bool> exchanged(std::vector<Sees> layers, Size query) {
  for (Sees& sees : layers) {
    const Sees old = sees;
    for (std::size_t i = 0; i < old.size(); ++i) {
      for (std::size_t j = 0; j < old.size(); ++j) sees[i][j] = old[j][i];
    }
  }
  return right(layers, query);
}
std::vector<bool> with_itself(std::vector<Sees> layers, Size query) {
  for (Sees& sees : layers) {
    for (std::size_t i = 0; i < sees.size(); ++i) sees[i][i] = true;
  }
  return right(layers, query);
}
std::vector<bool> growing(const std::vector<Sees>& layers, Size query) {
  std::vector<bool> matters(T, false);
  matters[static_cast<std::size_t>(query)] = true;
  for (auto sees = layers.rbegin(); sees != layers.rend(); ++sees) {
    for (std::size_t i = 0; i < matters.size(); ++i) {
      for (std::size_t j = 0; matters[i] && j < matters.size(); ++j) matters[j] = matters[j] || (*sees)[i][j];
    }
  }
  return matters;
}

// Whether the answer is that of the suspect in all stacks.
bool same(const ReachAnswer& answer, const Field& suspect) {
  const std::vector<Stack> all = stacks();
  return std::all_of(all.begin(), all.end(), [&](const Stack& stack) {
    return answer.depends(stack.layers, stack.query) == suspect(stack.layers, stack.query);
  });
}

std::string likely_bug(const ReachAnswer& answer) {
  if (answer.depends({window}, 4).empty()) return "the hole is not filled: the result has no element.";
  const std::vector<std::pair<Field, std::string>> suspects = {
      {[](const std::vector<Sees>&, Size) { return std::vector<bool>(T, false); },
       "no position matters at all. Before the last layer `query` itself does: begin with it."},
      {[](const std::vector<Sees>& layers, Size query) { return layers.back()[static_cast<std::size_t>(query)]; },
       "that is what the last layer alone sees. What it sees was made by the layers below it."},
      {in_any_layer,
       "that is the row of `query` itself in all layers. Below the last layer, the rows of what it sees count."},
      {upwards, "the layers were taken from the input on. layers.back() gives the result: begin there."},
      {exchanged, "rows and columns are exchanged: a row is a query, sees[i][j] says whether i sees j."},
      {growing,
       "the set grew while it is read: what a layer adds was taken for something that mattered above it. Fill "
       "another set, and then put it in the place of the first."},
      {with_itself,
       "what mattered above a layer was kept below it. A position that does not see itself is not among "
       "what it sees."},
  };
  for (const auto& [field, bug] : suspects) {
    if (same(answer, field)) return bug;
  }
  return "none of the usual ones. Do two layers by hand: first what `query` sees, then all that those see.";
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const ReachAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "patterns " + text(Shape{T, T}), text(Shape{T}),
      [&] {
        return text(Shape{static_cast<Size>(answer.depends({window, window}, 4).size())});
      },
      [&] { return likely_bug(answer); });
}

void check_numbers(const ReachAnswer& answer, Steps& steps) {
  for (const Stack& stack : stacks()) {
    const std::vector<bool> wanted = right(stack.layers, stack.query);
    const std::vector<bool> given = answer.depends(stack.layers, stack.query);
    if (given == wanted) continue;
    throw Mistake(stack.name + ": it depends on\nexpected: " + listed(wanted) + "\nyours:    " + listed(given),
                  likely_bug(answer));
  }
  steps.passed("positions of five small stacks");
}

void check_properties(const ReachAnswer& answer, Steps& steps) {
  for (Size depth = 1; depth <= 8; ++depth) {
    const std::vector<bool> given = answer.depends(std::vector<Sees>(static_cast<std::size_t>(depth), window), 0);
    if (std::count(given.begin(), given.end(), true) == std::min(T, depth + 1)) continue;
    throw Mistake(fill("{} layers of a window of 1: query 0 depends on {}.", {count(depth), listed(given)}),
                  likely_bug(answer));
  }
  steps.passed("properties: L layers of a window w reach L · w");
}

// The answer and the zeros of a gradient must agree: each layer is an attention with random scores.
void check_gradients(const ReachAnswer& answer, Steps& steps) {
  Rng rng(1);
  for (const Stack& stack : stacks()) {
    const Var x = Var::parameter(rng.normal({T, 1}, 0, 1, DType::float64));
    Var y = x;
    for (const Sees& sees : stack.layers) {
      std::vector<bool> allowed;
      for (const std::vector<bool>& row : sees) allowed.insert(allowed.end(), row.begin(), row.end());
      const Var scores(rng.normal({T, T}, 0, 1, DType::float64));
      y = matmul(masked_softmax(scores, Tensor::from_bools(allowed, {T, T})), y);
    }
    const Tensor g = grad(sum(slice(y, 0, stack.query, 1)), {x})[0].value();
    std::vector<bool> reached;
    for (double derivative : g.to_vector()) reached.push_back(derivative != 0);
    if (answer.depends(stack.layers, stack.query) == reached) continue;
    throw Mistake(stack.name + ": the gradient is not 0 at " + listed(reached), likely_bug(answer));
  }
  steps.passed("gradients: zeros exactly where nothing is reached");
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/12_sparse/exercise_2_reach.cpp", reach_answers(),
                       {check_shapes, check_numbers, check_properties, check_gradients});
}
