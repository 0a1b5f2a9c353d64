#include "tutorials/12_sparse/patterns_lesson.hpp"

#include "nn/attention/dilated.hpp"
#include "nn/attention/local.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/12_sparse/reach.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter12 {

using namespace lesson;

namespace {

constexpr Size on_screen = 16;  // positions of a map

HeatMap map_of(const std::string& name, const Tensor& seen) {
  const Size T = seen.shape()[0];
  return {Matrix(T, T, seen.to_vector()), {}, {}, name + ": " + count(pairs(seen)) + " of " + count(T * T) + " pairs"};
}

std::string or_never(const std::optional<Size>& layers) { return layers ? count(*layers) : "never"; }

// The boolean product: what is seen in a step of the first pattern and then one of the second.
Tensor two_steps(const Tensor& first, const Tensor& second) { return above_zero(kernel::matmul(second, first)); }

void paper_claims(Claims& claims) {
  const std::vector<double> found = on_paper();
  say("\nOn paper: 4 positions, a window of 1 on each side, equal weights. The derivative of the last result to the "
      "first value after 1, 2 and 3 layers:");
  say(fill("{}, {}, {}\n", {significant(found[0], 4), significant(found[1], 4), significant(found[2], 4)}));
  claims.holds("0, 0, 1/18: the third layer is the first that reaches it",
               found[0] == 0 && found[1] == 0 && std::abs(found[2] - 1.0 / 18) < 1e-15);
}

void claim_stride(Claims& claims) {
  constexpr Size T = 64, stride = 8;
  const Mask causal = causal_mask(T, T);
  const std::vector<AttentionCore> both = {LocalAttention(stride, 0), DilatedAttention(T, 0, stride)};
  const Tensor near = pattern(both[0], T, causal), far = pattern(both[1], T, causal);
  say(
      fill("\nStrided, its two halves one after the other, causal, {} positions, stride {}: {} pairs in the window, {} "
           "in the strides, {} in two steps.\n",
           {count(T), count(stride), count(pairs(near)), count(pairs(far)), count(pairs(two_steps(near, far)))}));
  const Tensor all = kernel::cast(reshape(causal.allowed(), {T, T}), DType::float64);
  claims.at_most("two steps and the causal mask: pairs in which they differ",
                 largest_difference(two_steps(near, far), all), 0);
  claims.at_most("the same by the zeros of the gradient", largest_difference(reached(both, T, 1, causal), all), 0);
}

}  // namespace

void patterns_section(const Options& options, const std::string& picture, Claims& claims) {
  heading("Who sees whom");
  say(fill("{} positions. A row is a query, a column a key; what is filled has a weight.\n", {count(on_screen)}));
  Rng rng(options.seed());
  const std::vector<Contender> all = contenders(options.breaks("wraps-around"));
  std::vector<HeatMap> maps;
  for (const Contender& one : all) {
    if (one.name == "window, then dilated") continue;  // its layers are the two before
    maps.push_back(map_of(one.name, pattern(one.make(0, on_screen, rng), on_screen)));
    draw(maps.back());
    say("");
  }
  if (!picture.empty()) write_svg("Which keys each query sees", maps, 3, picture);
  const Size T = on_screen, w = T / 8;
  claims.holds("local window: T (2 w + 1) − w (w + 1) pairs",
               pairs(pattern(contender(all, "local window").make(0, T, rng), T)) == T * (2 * w + 1) - w * (w + 1));
}

void reach_section(const Options& options, Claims& claims) {
  heading("How far it reaches");
  say(
      fill("Layers of one pattern on top of each other, {} positions. Who depends on whom is told by the derivative, "
           "which is exactly 0 where nothing arrives.\n",
           {count(length)}));
  Table table({"attention", "pairs of a layer", "the last sees the first after", "all see all after"});
  std::vector<Reach> found;
  Rng rng(options.seed());
  for (const Contender& one : contenders(options.breaks("wraps-around"))) {
    found.push_back(reach(one, length, 10, options.seed()));
    table.row({one.name, count(pairs(pattern(one.make(0, length, rng), length))),
               or_never(found.back().last_sees_first), or_never(found.back().all_see_all)});
  }
  table.print();
  constexpr Size w = length / 8;
  claims.holds("local window: ⌈(T − 1) / w⌉ layers", found[1].last_sees_first == (length - 1 + w - 1) / w);
  claims.holds("dilated window: never, for the distance is odd and its steps are even",
               !found[2].last_sees_first && !found[2].all_see_all);
  claims.holds("strided; BigBird, with random blocks and without: two layers",
               found[4].all_see_all == 2 && found[5].all_see_all == 2 && found[6].all_see_all == 2);
  claims.holds("window, then dilated: not two layers, for beyond the ends there is nothing to go by, but three",
               found[3].all_see_all == 3);
  paper_claims(claims);
  claim_stride(claims);
}

void drawn_section(const Options& options, Claims& claims) {
  heading("What is drawn must stay");
  say("BigBird draws its random blocks once. A checkpoint runs the layer a second time (chapter 11), and that must be "
      "the same function.\n");
  constexpr Size d = 5;
  Rng rng(options.seed());
  const AttentionCore fixed = contender(contenders(), "BigBird").make(0, length, rng);
  const AttentionCore core =
      options.breaks("redrawn") ? AttentionCore(RedrawnBigBird{length, std::make_shared<Rng>(7)}) : fixed;
  const auto drawn = [&](Size T) { return rng.normal({1, 1, T, d}, 0, 1, DType::float64); };
  const Vars in = {Var::parameter(drawn(length)), Var::parameter(drawn(length)), Var::parameter(drawn(length))};
  const Var gy = drawn(length);
  claim_repeatable([&](const Vars& x) { return core(x[0], x[1], x[2]).context; }, in, gy, claims);

  heading("Are the derivatives right?");
  std::vector<GradcheckReport> reports;
  GradcheckOptions settings;
  settings.seed = options.seed();
  for (const Contender& one : contenders()) {
    constexpr Size T = 8;
    const AttentionCore small = one.make(0, T, rng);
    reports.push_back(gradcheck(
        one.name.c_str(), [&](const Vars& x) { return small(x[0], x[1], x[2]).context; },
        {drawn(T), drawn(T), drawn(T)}, settings));
  }
  claim_gradients(reports, claims);
}

}  // namespace attend::chapter12
