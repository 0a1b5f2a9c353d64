// Wrong answers to exercise 1, each with the bug that the check must name.
#include "tutorials/10_attention_and_convolution/exercise_1_patches.hpp"

namespace attend::chapter10 {
namespace {

Var cut_in(const Var& x, Size p, const Axes& order) {
  const auto [B, C, H, W] = dims<4>(x, "patches");
  return reshape(permute(reshape(x, {B, C, H / p, p, W / p, p}), order), {B, H / p * (W / p), C * p * p});
}

Var unsolved(const Var&, Size) { return {}; }

Var strips(const Var& x, Size p) {
  const auto [B, C, H, W] = dims<4>(x, "patches");
  return reshape(x, {B, H / p * (W / p), C * p * p});
}

Var column_by_column(const Var& x, Size p) { return cut_in(x, p, {0, 4, 2, 1, 3, 5}); }
Var turned_inside(const Var& x, Size p) { return cut_in(x, p, {0, 2, 4, 1, 5, 3}); }
Var channels_last(const Var& x, Size p) { return cut_in(x, p, {0, 2, 4, 3, 5, 1}); }
Var rows_exchanged(const Var& x, Size p) { return cut_in(x, p, {0, 3, 5, 1, 2, 4}); }
Var pixels_first(const Var& x, Size p) { return transpose(cut_in(x, p, {0, 2, 4, 1, 3, 5})); }

Var a_channel_each(const Var& x, Size p) {
  const auto [B, C, H, W] = dims<4>(x, "patches");
  return reshape(permute(reshape(x, {B, C, H / p, p, W / p, p}), {0, 1, 2, 4, 3, 5}),
                 {B, C * (H / p) * (W / p), p * p});
}

Var history_cut(const Var& x, Size p) { return detach(cut_in(x, p, {0, 2, 4, 1, 3, 5})); }

}  // namespace

std::vector<PatchesAnswer> patches_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"reshaped without permuting", strips, "strips of a row"},
      {"squares column by column", column_by_column, "squares come column by column"},
      {"pixels of a square column by column", turned_inside, "inside a square"},
      {"channels last", channels_last, "channel is the fastest"},
      {"places within and between squares exchanged", rows_exchanged, "far apart"},
      {"pixels before squares", pixels_first, "last two axes"},
      {"a channel each", a_channel_each, "all channels of a square"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter10
