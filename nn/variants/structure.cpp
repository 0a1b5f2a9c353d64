#include <algorithm>
#include <cmath>

#include "nn/attention/grid.hpp"
#include "nn/attention/tree.hpp"
#include "nn/variants/heads.hpp"
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
        return multi_axis_multiplications(image.pixels(), d, image.width) +
               multi_axis_multiplications(image.pixels(), d, image.height);
      }};
}

Variant multi_axis(const std::string& name, Kind kind) {
  return {name, "Tu et al. 2022 (arXiv:2204.01697)", trait::padding | trait::averages,
          [kind](Size T, Size, Rng&) {
            const Sides image(T, side);
            const Partition groups(kind, image.height, image.width, side, side);
            return AttentionCore(FirstPixels{MultiAxisAttention(groups), image.pixels()});
          },
          [](Size T, Size d) { return multi_axis_multiplications(Sides(T, side).pixels(), d, side * side); }};
}

// ---- grids ----

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
  return apart(in(core), in(SoftmaxAttention(), mask));
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

// ---- trees ----

// 3 is above 0 and 5, 0 above 1 and 4, 5 above 2.
Tree small_tree() { return Tree({3, 0, 5, -1, 0, 3}); }

Var softmax_under(const Heads& in, const Mask& mask) { return in(SoftmaxAttention(), mask); }

// What constituent attention says of 7 positions, from a layer of its own for each seed.
Constituents constituents(std::uint64_t seed, const Var& below = {}) {
  Rng rng(seed);
  const ConstituentAttention layer = cast(ConstituentAttention(5, rng), DType::float64);
  return layer(Var(rng.normal({2, 7, 5}, 0, 1, DType::float64)), below);
}

Var links_of(double number) { return Var(Tensor::full({2, 6}, number, DType::float64)); }

// The largest difference of C_ik and C_ij C_jk for i <= j <= k.
double largest_gap(const Var& prior) {
  const auto C = [&](Size i, Size j) { return select(select(prior, 1, i), 1, j); };
  double gap = 0;
  for (Size i = 0; i < 7; ++i) {
    for (Size j = i; j < 7; ++j) {
      for (Size k = j; k < 7; ++k) gap = std::max(gap, apart(C(i, k), C(i, j) * C(j, k)));
    }
  }
  return gap;
}

std::vector<Identity> tree_identities() {
  return {
      {"the ancestor mask of a chain = the causal mask", 0,
       [] {
         const Heads in(5);
         const Mask chain = ancestor_mask({Tree({-1, 0, 1, 2, 3})}, 5);
         return apart(softmax_under(in, Mask(chain.allowed())), softmax_under(in, Mask(causal_mask(5, 5).allowed())));
       }},
      {"under the ancestor mask of a star = half and half of itself and the root, for queries of 0", 1e-12,
       [] {
         Heads in(5);
         in.q = 0.0 * in.q;
         const Var halves = 0.5 * in.v + 0.5 * slice(in.v, 2, 0, 1);
         return apart(softmax_under(in, ancestor_mask({Tree({-1, 0, 0, 0, 0})}, 5)), halves);
       }},
      {"a tree with other numbers for its positions = the same results under those numbers", 1e-12,
       [] {
         const Heads in(6);
         const std::vector<Size> number = {4, 2, 0, 1, 5, 3};  // of each position, from now on
         std::vector<Size> parents(6);
         std::vector<std::int64_t> was(6);
         for (Size i = 0; i < 6; ++i) {
           const Size parent = small_tree().parents[static_cast<std::size_t>(i)];
           const std::size_t now = static_cast<std::size_t>(number[static_cast<std::size_t>(i)]);
           parents[now] = parent == -1 ? -1 : number[static_cast<std::size_t>(parent)];
           was[now] = i;
         }
         const auto renumbered = [&](const Var& x) { return take(x, 2, Tensor::from_ints(was, {6})); };
         Heads other = in;
         other.q = renumbered(in.q), other.k = renumbered(in.k), other.v = renumbered(in.v);
         return apart(softmax_under(other, subtree_mask({Tree(parents)}, 6)),
                      renumbered(softmax_under(in, subtree_mask({small_tree()}, 6))));
       }},
      {"a prior with links of 1 = softmax attention", 0,
       [] {
         const Heads in(7);
         return apart(attention_with_prior(in.q, in.k, in.v, constituent_prior(links_of(1))).context,
                      in(SoftmaxAttention()));
       }},
      {"a prior with links of 0 = each value times its own weight", 1e-12,
       [] {
         const Heads in(7);
         const Attended plain = scaled_dot_attention(in.q, in.k, in.v);
         return apart(attention_with_prior(in.q, in.k, in.v, constituent_prior(links_of(0))).context,
                      unsqueeze(diagonal(plain.weights, 2, 3), 3) * in.v);
       }},
      {"a prior with links of 0, renormalised = the values themselves", 0,
       [] {
         const Heads in(7);
         return apart(attention_with_prior(in.q, in.k, in.v, constituent_prior(links_of(0)), {}, true).context, in.v);
       }},
      {"a prior with one link of 0 and all others 1, renormalised = softmax attention within both parts", 1e-12,
       [] {
         const Heads in(7);
         const Var ones = links_of(1);
         const Var cut = concat({slice(ones, 1, 0, 2), slice(links_of(0), 1, 0, 1), slice(ones, 1, 0, 3)}, 1);
         const auto part = [](const Var& x, Size start, Size count) { return slice(x, 2, start, count); };
         const auto within = [&](Size start, Size count) {
           return SoftmaxAttention()(part(in.q, start, count), part(in.k, start, count), part(in.v, start, count))
               .context;
         };
         return apart(attention_with_prior(in.q, in.k, in.v, constituent_prior(cut), {}, true).context,
                      concat({within(0, 3), within(3, 4)}, 2));
       }},
      {"the prior from i to k = that from i to j times that from j to k", 1e-12,
       [] { return largest_gap(constituents(5).prior); }},
      {"links above links of 1 = 1", 0, [] { return apart(constituents(5, links_of(1)).links, links_of(1)); }},
      {"links above = never less than below", 0,
       [] {
         const Var below = constituents(5).links, above = constituents(6, below).links;
         return max(relu(below - above), {0, 1}).item();
       }},
  };
}

}  // namespace

Family structure_family() {
  Family family;
  family.name = "structure";
  family.variants = {axial(), multi_axis("windows of an image", Kind::window),
                     multi_axis("grids of an image", Kind::grid)};
  for (const auto& of_structure : {tree_identities(), grid_identities()}) {
    family.identities.insert(family.identities.end(), of_structure.begin(), of_structure.end());
  }
  return family;
}

}  // namespace attend
