#include "nn/variants/structure.hpp"

#include <algorithm>
#include <cmath>

#include "nn/attention/grid.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

using Kind = Partition::Kind;
using Order = AxialAttention::Order;

constexpr Size side = 3;  // of a window and of a grid, in the usual settings

// The sides of an image for T pixels, near a square, both multiples of `step`: what is left over of it is padding.
struct Sides {
  Size height, width;

  Sides(Size T, Size step) {
    const auto multiple = [step](double least) {
      return step * std::max<Size>(1, static_cast<Size>(std::ceil(least / static_cast<double>(step))));
    };
    width = multiple(std::sqrt(static_cast<double>(T)));
    height = multiple(static_cast<double>(T) / static_cast<double>(width));
  }
  Size pixels() const { return height * width; }
};

// An attention between the pixels of an image, for the first T of them: those behind are padding.
struct FirstPixels {
  AttentionCore core;
  Size pixels;

  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const {
    check_heads("first pixels", q, k, v);
    const Size T = q.shape()[2], behind = pixels - T;
    const KeyMask seen = key_mask("first pixels", mask, T, T);
    const Tensor keys = seen.keys.defined() ? seen.keys : Tensor::ones({1, T}, DType::boolean);
    const Size B = keys.shape()[0];
    const Tensor there = kernel::concat({keys, Tensor::zeros({B, behind}, DType::boolean)}, 1);
    Mask image(reshape(there, {B, 1, 1, pixels}));
    if (seen.causal) image = image & causal_mask(pixels, pixels);  // for the core to refuse
    const auto filled = [&](const Var& x) { return pad(x, 2, 0, behind); };
    return {slice(core(filled(q), filled(k), filled(v), image).context, 2, 0, T), Var()};
  }
  void parameters(const Visit& visit) { visit("core", core); }
};

Variant axial() {
  return {
      "axial", "Ho et al. 2019 (arXiv:1912.12180)", trait::padding | trait::averages,
      [](Size T, Size, Rng&) {
        const Sides image(T, 1);
        return AttentionCore(FirstPixels{AxialAttention(image.height, image.width, Order::sequence), image.pixels()});
      },
      [](Size T, Size d) {
        const Sides image(T, 1);
        const Size pixels = image.pixels();
        return attention_multiplications(pixels, d, pixels * image.width) +
               attention_multiplications(pixels, d, pixels * image.height);
      }};
}

Variant multi_axis(const std::string& name, Kind kind) {
  return {name, "Tu et al. 2022 (arXiv:2204.01697)", trait::padding | trait::averages,
          [kind](Size T, Size, Rng&) {
            const Sides image(T, side);
            const Partition groups(kind, image.height, image.width, side, side);
            return AttentionCore(FirstPixels{MultiAxisAttention(groups), image.pixels()});
          },
          [](Size T, Size d) {
            const Size pixels = Sides(T, side).pixels();
            return attention_multiplications(pixels, d, pixels * side * side);
          }};
}

// An image of 3 x 4 pixels in the places of 12 positions.
constexpr Size height = 3, width = 4;

double apart_from_softmax(const AttentionCore& core) {
  const Heads in(height * width);
  return apart(in(core), in(SoftmaxAttention()));
}

// The mask that allows what `together` says of pixels i and j.
template <class Together>
Mask mask_of_pixels(Together together) {
  std::vector<bool> allowed;
  for (Size i = 0; i < height * width; ++i) {
    for (Size j = 0; j < height * width; ++j) allowed.push_back(together(i, j));
  }
  return Mask(Tensor::from_bools(allowed, {height * width, height * width}));
}

double apart_from_masked(const AttentionCore& core, const Mask& mask) {
  const Heads in(height * width);
  return apart(in(core), softmax_under(in, mask));
}

std::vector<Identity> grid_identities() {
  return {
      {"one window as large as the image = softmax attention", 1e-12,
       [] {
         return apart_from_softmax(MultiAxisAttention({Kind::window, height, width, height, width}));
       }},
      {"a grid with a place for each pixel = softmax attention", 1e-12,
       [] {
         return apart_from_softmax(MultiAxisAttention({Kind::grid, height, width, height, width}));
       }},
      {"windows of one pixel = the values themselves", 0,
       [] {
         const Heads in(height * width);
         return apart(in(MultiAxisAttention({Kind::window, height, width, 1, 1})), in.v);
       }},
      {"windows of 3 x 2 = softmax attention under their mask", 1e-12,
       [] {
         const Mask mask = mask_of_pixels([](Size i, Size j) { return i % width / 2 == j % width / 2; });
         return apart_from_masked(MultiAxisAttention({Kind::window, height, width, height, 2}), mask);
       }},
      {"grids of 1 x 2 = softmax attention under their mask", 1e-12,
       [] {
         const Mask mask =
             mask_of_pixels([](Size i, Size j) { return i / width == j / width && (i - j) % (width / 2) == 0; });
         return apart_from_masked(MultiAxisAttention({Kind::grid, height, width, 1, 2}), mask);
       }},
      {"an image cut into windows or grids and joined = the image", 0,
       [] {
         const Heads in(height * width);
         const Partition windows(Kind::window, height, width, 3, 2), grids(Kind::grid, height, width, 1, 2);
         return std::max(apart(windows.join(windows.cut(in.v)), in.v), apart(grids.join(grids.cut(in.v)), in.v));
       }},
      {"axial attention along an image of one row = softmax attention", 1e-12,
       [] { return apart_from_softmax(AxialAttention(1, height * width, Order::rows)); }},
      {"axial attention, rows then columns, in an image of one column = softmax attention", 1e-12,
       [] { return apart_from_softmax(AxialAttention(height * width, 1, Order::sequence)); }},
      {"axial attention along columns = softmax attention under their mask", 1e-12,
       [] {
         const Mask mask = mask_of_pixels([](Size i, Size j) { return i % width == j % width; });
         return apart_from_masked(AxialAttention(height, width, Order::columns), mask);
       }},
      {"axial attention along columns = along rows of the transposed image", 1e-12,
       [] {
         const auto turned = [](const Var& x, Size rows, Size columns) {
           const Size B = x.shape()[0], H = x.shape()[1], d = x.shape()[3];
           return reshape(permute(reshape(x, {B, H, rows, columns, d}), {0, 1, 3, 2, 4}), x.shape());
         };
         const Heads in(height * width);
         const auto turn = [&](const Var& x) { return turned(x, height, width); };
         const Var rows = AxialAttention(width, height, Order::rows)(turn(in.q), turn(in.k), turn(in.v)).context;
         return apart(turned(rows, width, height), in(AxialAttention(height, width, Order::columns)));
       }},
      {"a gate whose psi is 0 = half of x", 1e-12,
       [] {
         Rng rng(5);
         AttentionGate gate = cast(AttentionGate(3, 5, 4, 2, rng), DType::float64);
         gate.psi.weight = Var(Tensor::zeros(gate.psi.weight.shape(), DType::float64));
         const Var x(rng.normal({2, 3, 4, 6}, 0, 1, DType::float64)), g(rng.normal({2, 5, 2, 3}, 0, 1, DType::float64));
         return apart(gate(x, g).context, 0.5 * x);
       }},
  };
}

}  // namespace

Family structure_family() {
  Family family;
  family.name = "structure";
  family.variants = {axial(), multi_axis("windows of an image", Kind::window),
                     multi_axis("grids of an image", Kind::grid)};
  for (const auto& of_structure : {graph_identities(), tree_identities(), grid_identities()}) {
    family.identities.insert(family.identities.end(), of_structure.begin(), of_structure.end());
  }
  return family;
}

}  // namespace attend
