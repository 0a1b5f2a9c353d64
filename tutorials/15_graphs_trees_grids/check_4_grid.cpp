// The check of exercise 4: shapes, tiny numbers, properties, gradients, training.
#include <functional>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/random.hpp"
#include "tutorials/15_graphs_trees_grids/exercise_4_grid.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace attend::lesson;

namespace {

// An image whose pixel (r, c) is 10 r + c, in every channel once more 100.
Var numbered(Size height, Size width, Size d) {
  std::vector<double> all;
  for (Size r = 0; r < height; ++r) {
    for (Size c = 0; c < width; ++c) {
      for (Size i = 0; i < d; ++i) all.push_back(static_cast<double>(100 * i + 10 * r + c));
    }
  }
  return Var::parameter(Tensor::from(all, {height, width, d}, DType::float64));
}

// Where pixel number `pixel` of group `group` stands in the image.
struct Place {
  Size row, column;
};
using Places = std::function<Place(Size group, Size pixel)>;

Tensor gathered(const Tensor& x, Size G, const Places& places) {
  const Size groups = x.shape()[0] * x.shape()[1] / (G * G), d = x.shape()[2];
  std::vector<double> all;
  for (Size group = 0; group < groups; ++group) {
    for (Size pixel = 0; pixel < G * G; ++pixel) {
      const Place at = places(group, pixel);
      for (Size i = 0; i < d; ++i) all.push_back(x.at({at.row, at.column, i}));
    }
  }
  return Tensor::from(all, {groups, G * G, d}, DType::float64);
}

// The definition, for an image with `down` and `across` pixels between those of a group.
Places spread(Size G, Size down, Size across) {
  return [=](Size group, Size pixel) {
    return Place{pixel / G * down + group / across, pixel % G * across + group % across};
  };
}
Tensor right(const Var& x, Size G) { return gathered(x.value(), G, spread(G, x.shape()[0] / G, x.shape()[1] / G)); }

// ---- the usual mistakes -------------------------------------------------------------------------------------------

constexpr Size height = 4, width = 6, d = 2, G = 2, down = height / G, across = width / G;

std::string bug_of(const Var& given) {
  if (given.shape() == Shape{down, across, G, G, d}) return "the axes are not joined: reshape to [groups, G · G, d].";
  if (given.shape() == Shape{G * G, down * across, d}) {
    return "groups and pixels are exchanged: the first axis counts groups.";
  }
  if (given.shape() != Shape{down * across, G * G, d}) return "";
  struct Suspect {
    Places places;
    std::string bug;
  };
  const auto grid = spread(G, down, across);
  const std::vector<Suspect> suspects = {
      {[](Size group, Size pixel) {
         const Size i = group * G * G + pixel;
         return Place{i / width, i % width};
       },
       "a reshape alone takes pixels in the order of the file: the right shape, and runs of pixels. Two axes must "
       "change places in between."},
      {[](Size group, Size pixel) {
         return Place{group / across * G + pixel / G, group % across * G + pixel % G};
       },
       "these are windows, pixels side by side. In a grid the axis of G comes first: height = G · (height / G)."},
      {[&](Size group, Size pixel) { return grid(group % down * across + group / down, pixel); },
       "the groups are in the order of columns: first the one below, then the one beside."},
      {[&](Size group, Size pixel) { return grid(group, pixel % G * G + pixel / G); },
       "the pixels of a group are in the order of columns: first the one below, then the one beside."},
  };
  for (const Suspect& suspect : suspects) {
    if (close(given.value(), gathered(numbered(height, width, d).value(), G, suspect.places))) return suspect.bug;
  }
  return "";
}

std::string likely_bug(const GridAnswer& answer) {
  return likely_bug_of([&] { return answer.cut(numbered(height, width, d), G); }, bug_of);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const GridAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "x " + text(Shape{height, width, d}) + ", G = 2", text(Shape{down * across, G * G, d}),
      [&] { return shape_of(answer.cut(numbered(height, width, d), G)); }, [&] { return likely_bug(answer); });
}

void check_numbers(const GridAnswer& answer, Steps& steps) {
  const Var x = numbered(height, width, d);
  const Tensor wanted = right(x, G);
  const Var given = answer.cut(x, G);
  for (Size group = 0; group < down * across; ++group) {
    const auto first_channel = [group](const Var& groups) { return select(slice(groups, 0, group, 1), 2, 0).value(); };
    if (close(slice(given, 0, group, 1).value(), slice(Var(wanted), 0, group, 1).value())) continue;
    throw Mistake(fill("4 × 6 pixels, of which (r, c) is 10 r + c, G = 2: group {} is\nexpected: {}\nyours:    {}",
                       {count(group), listed(first_channel(Var(wanted))), listed(first_channel(given))}),
                  likely_bug(answer));
  }
  steps.passed("the six groups of an image of 4 × 6");
}

void check_properties(const GridAnswer& answer, Steps& steps) {
  struct Form {
    Size height, width, G;
  };
  for (const Form form : {Form{8, 8, 4}, {3, 3, 3}, {3, 5, 1}, {2, 8, 2}}) {
    const Var x = numbered(form.height, form.width, 3);
    if (close(answer.cut(x, form.G).value(), right(x, form.G))) continue;
    throw Mistake(fill("{} × {} pixels, G = {}: the groups are others than those of the definition.",
                       {count(form.height), count(form.width), count(form.G)}),
                  likely_bug(answer));
  }
  steps.passed("properties: one group for all, groups of one pixel, sides that differ");
}

void check_gradients(const GridAnswer& answer, Steps& steps) {
  if (!answer.cut(numbered(height, width, d), G).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the image.", likely_bug(answer));
  }
  Rng rng(1);
  expect_gradients(
      steps, "grid", [&](const Vars& x) { return answer.cut(x[0] * x[0], G); },
      {rng.normal({height, width, d}, 0, 1, DType::float64)}, [&] { return likely_bug(answer); });
}

// An image is learned from its groups.
void check_training(const GridAnswer& answer, Steps& steps) {
  struct Image {
    Var x;
    void parameters(const Visit& visit) { visit("x", x); }
  };
  Rng rng(2);
  const Var wanted(rng.normal({height, width, d}, 0, 1, DType::float64));
  Image model{Var::parameter(Tensor::zeros({height, width, d}, DType::float64))};
  Adam adam(0.1);
  for (int step = 0; step < 150; ++step) {
    Var loss = mean_squared_error(answer.cut(model.x, G), Var(right(wanted, G)));
    adam.step(model, grad(std::move(loss), parameters(model)));
  }
  if (!(largest_difference(model.x.value(), wanted.value()) < 0.1)) {
    throw Mistake("After 150 steps the image is not the one whose groups were wanted.", likely_bug(answer));
  }
  steps.passed("a short training: an image from its groups");
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/15_graphs_trees_grids/exercise_4_grid.cpp", grid_answers(),
                       {check_shapes, check_numbers, check_properties, check_gradients, check_training});
}
