#include "tutorials/06_many_heads/forms.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "autograd/var.hpp"
#include "nn/gradcheck.hpp"
#include "tensor/cost.hpp"
#include "tutorials/06_many_heads/classifier.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter06 {
namespace {

using lesson::Claims;
using lesson::largest_difference;

constexpr Size B = 2, T = 5, H = 3, d = 4, E = H * d;  // all different, so that no mix-up can hide

Tensor drawn(const Shape& shape, Rng& rng) { return rng.normal(shape, 0, 1, DType::float64); }

// Biases begin at 0, where nobody would miss them.
MultiHeadAttention exact_layer(Rng& rng) {
  MultiHeadAttention layer = cast(MultiHeadAttention(E, H, rng), DType::float64);
  rebind(layer, [&](const Var& old, std::size_t) { return old.rank() == 1 ? drawn(old.shape(), rng) : old.value(); });
  return layer;
}

// I ⊗ w
Var on_diagonal(const Var& w, Size heads) {
  const Size width = w.shape()[0], size = heads * width;
  std::vector<double> numbers(static_cast<std::size_t>(size * size), 0);
  for (Size h = 0; h < heads; ++h) {
    for (Size i = 0; i < width; ++i) {
      for (Size j = 0; j < width; ++j) {
        numbers[static_cast<std::size_t>((h * width + i) * size + h * width + j)] = w.value().at({i, j});
      }
    }
  }
  return Var::parameter(Tensor::from(numbers, {size, size}, w.dtype()));
}

template <class Pass>
Cost cost_of(const Pass& pass) {
  const CostCounter counter;
  pass();
  return counter.total();
}

template <class Pass>
Size products_of(const Pass& pass) {
  const CostCounter counter;
  pass();
  return counter.products();
}

template <class Layer, class Projections>
Multiplications counted(const Layer& layer, const Var& x, const Projections& project) {
  const Size all = cost_of([&] { layer(x); }).multiplications, products = products_of([&] { layer(x); });
  const Size projections = products_of(project), output = products_of([&] { layer.output(x); });
  return {projections, products - projections - output, output, all - products};
}

template <class Pass>
double least_milliseconds(Size runs, const Pass& pass) {
  double least = std::numeric_limits<double>::infinity();
  for (Size i = 0; i < runs; ++i) {
    const lesson::Stopwatch watch;
    pass();
    least = std::min(least, 1000 * watch.seconds());
  }
  return least;
}

Var reshape_alone(const Var& x, Size heads) {
  const auto [batch, length, size] = dims<3>(x);
  return reshape(x, {batch, heads, length, size / heads});
}

}  // namespace

Attended attend_cut(const MultiHeadAttention& layer, const Var& x, Cut cut) {
  const auto heads_of = [&](const Linear& projection) {  // [B, heads, T, d]
    return cut == Cut::by_position ? split_heads(projection(x), layer.heads)
                                   : reshape_alone(projection(x), layer.heads);
  };
  const Attended seen = scaled_dot_attention(heads_of(layer.query_projection), heads_of(layer.key_projection),
                                             heads_of(layer.value_projection));
  return layer.finish(seen);
}

MultiHeadAttention with_blocks(const SharedHeadAttention& small) {
  const Size size = small.output.weight.shape()[0];
  Rng any(1);  // what it draws is written over
  MultiHeadAttention full = cast(MultiHeadAttention(size, small.heads, any), small.output.weight.dtype());
  full.query_projection.weight = on_diagonal(small.queries.weight, small.heads);
  full.key_projection.weight = on_diagonal(small.keys.weight, small.heads);
  full.value_projection.weight = on_diagonal(small.values.weight, small.heads);
  full.output = small.output;
  return full;  // biases begin at 0
}

void claim_forms(Claims& claims) {
  Rng rng(2);
  const MultiHeadAttention layer = exact_layer(rng);
  const Var x(drawn({B, T, E}, rng));
  lesson::Table table({"mask", "loop, to batched", "einsum, to batched"});
  double worst = 0;
  const std::vector<std::pair<std::string, Mask>> masks = {
      {"none", {}}, {"causal", causal_mask(T, T)}, {"padding", padding_mask({5, 3}, T)}};
  for (const auto& [name, mask] : masks) {
    const Var batched = layer(x, mask).context;
    const double loop = largest_difference(attend_in_a_loop(layer, x, mask).context.value(), batched.value());
    const double einsum = largest_difference(attend_by_einsum(layer, x, mask).context.value(), batched.value());
    table.row({name, lesson::significant(loop, 2), lesson::significant(einsum, 2)});
    worst = std::max({worst, loop, einsum});
  }
  table.print();
  claims.below("loop, batched, einsum: largest difference", worst, 1e-12);
  claims.holds("one head more or less: 4 · 12² + 4 · 12 numbers to learn, all the same",
               parameter_count(layer) == 4 * E * E + 4 * E &&
                   parameter_count(MultiHeadAttention(E, 1, rng)) == parameter_count(layer));
}

void claim_blocks(bool with_biases, Claims& claims) {
  Rng rng(3);
  const SharedHeadAttention small = cast(SharedHeadAttention(E, H, rng), DType::float64);
  MultiHeadAttention full = with_blocks(small);
  if (with_biases) {
    full.query_projection.bias = full.key_projection.bias = full.value_projection.bias =
        Var::parameter(drawn({E}, rng));
  }
  const Tensor x = drawn({B, T, E}, rng);
  claims.below("article 2's form against article 1's with W = I ⊗ w, difference",
               largest_difference(small(x).context.value(), full(x).context.value()), 1e-12);
  claims.holds("it learns 3 d² + E² + E numbers: 3 · 4² + 12² + 12", parameter_count(small) == 3 * d * d + E * E + E);

  // The first head alone, before the output matrix: which numbers of x does it depend on?
  const Var in = Var::parameter(x);
  const Var values = small.values(reshape(in, {B, T, H, d}));
  const Var first = grad(sum(select(values, 2, 0)), {in})[0];
  claims.at_most("its first head's values, by all of x but the first slice: derivative",
                 largest_difference(slice(first.value(), 2, d, E - d), Tensor::zeros({B, T, E - d}, DType::float64)),
                 0);
}

void claim_cut(Cut cut, Claims& claims) {
  Rng rng(4);
  const MultiHeadAttention layer = exact_layer(rng);
  const Tensor x = drawn({B, T, E}, rng), order = Tensor::from_ints({3, 0, 4, 2, 1}, {T});
  const Var results = attend_cut(layer, x, cut).context, of_turned = attend_cut(layer, take(x, 1, order), cut).context;
  claims.below("words in another order: the same results in that order, difference",
               largest_difference(take(results, 1, order).value(), of_turned.value()), 1e-13);
  claims.below("heads cut here, against the layer: difference",
               largest_difference(results.value(), layer(x).context.value()), 1e-12);
}

void claim_gradients(std::uint64_t seed, Claims& claims) {
  Rng rng(seed);
  GradcheckOptions settings;
  settings.seed = seed;
  MultiHeadAttention layer = exact_layer(rng);
  // A bias of the keys adds the same to all scores of a query, which softmax does not notice: its gradient is 0, and
  // there is nothing to compare.
  layer.key_projection.bias = Var();
  const std::vector<Tensor> inputs = {drawn({B, T, E}, rng)};
  const Mask mask = padding_mask({5, 3}, T);
  const auto check = [&](const std::string& name, auto form) {
    return gradcheck_layer(
        name, layer, inputs,
        [form, mask](const MultiHeadAttention& heads, const Vars& in) { return form(heads, in[0], mask).context; },
        settings);
  };
  const auto batched = [](const MultiHeadAttention& heads, const Var& x, const Mask& hidden) {
    return heads(x, hidden);
  };
  lesson::claim_gradients({check("batched, padded", batched), check("loop, padded", attend_in_a_loop),
                           check("einsum, padded", attend_by_einsum),
                           gradcheck(
                               "mean of words",
                               [](const Vars& in) {
                                 return mean_of_words(in[0], {5, 3});
                               },
                               inputs, settings)},
                          claims);
}

Multiplications multiplications(const MultiHeadAttention& layer, const Var& x) {
  return counted(layer, x, [&] {
    layer.query_heads(x);
    layer.key_heads(x);
    layer.value_heads(x);
  });
}

Multiplications multiplications(const SharedHeadAttention& layer, const Var& x) {
  const auto [batch, length, size] = dims<3>(x);
  const Var cut = reshape(x, {batch, length, layer.heads, size / layer.heads});
  return counted(layer, x, [&] {
    layer.queries(cut);
    layer.keys(cut);
    layer.values(cut);
  });
}

Times times_of(const MultiHeadAttention& layer, const Var& x, Size runs) {
  const Recording off(false);
  return {least_milliseconds(runs, [&] { attend_in_a_loop(layer, x); }), least_milliseconds(runs, [&] { layer(x); }),
          least_milliseconds(runs, [&] { attend_by_einsum(layer, x); })};
}

}  // namespace attend::chapter06
