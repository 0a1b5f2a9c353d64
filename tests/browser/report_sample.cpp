// Writes a report that has one of everything a chapter can show, with labels that would break a page that forgot to
// escape them: report_sample --report FILE
#include <cmath>
#include <optional>

#include "tutorials/lesson/lesson.hpp"

using namespace attend::lesson;

namespace {

const std::vector<std::string> hard_tokens = {"</s>", "<b>", "&", "\"", "'", "</script>", " "};

// Row r looks most at column r + shift, more so the sharper.
HeatMap shifted_map(const std::string& title, attend::Size shift, double sharp) {
  const attend::Size n = size_of(hard_tokens);
  std::vector<double> weights;
  for (attend::Size r = 0; r < n; ++r) {
    for (attend::Size c = 0; c < n; ++c) {
      weights.push_back(c == (r + shift) % n ? sharp : (1 - sharp) / static_cast<double>(n - 1));
    }
  }
  return {Matrix(n, n, weights), hard_tokens, hard_tokens, title};
}

HeatMap wide_map() {
  std::vector<double> values;
  for (int i = 0; i < 3 * 40; ++i) values.push_back(i == 7 ? std::nan("") : 0.1 * i - 2);
  return {Matrix(3, 40, values), {}, {}, "forty columns, one of them no number", std::nullopt};
}

void show_everything(Claims& claims) {
  title("00", "Everything a report can hold: </title> & \"more\"");
  heading("Texts");
  say("A paragraph with <b>, & and </script>.");
  say("Lines\n  of their own");
  point("a point");
  shapes({{"query", {2, 3}, "batch, features"}, {"weights", {2, 7}, ""}});
  Table table({"model", "exact"});
  table.row({"<attention>", "99.2 %"}, "a note");
  table.print();

  heading("Pictures");
  draw(shifted_map("one map of hard tokens", 1, 0.7));
  draw(wide_map());
  show_heads("Two heads", {shifted_map("head 0", 0, 0.4), shifted_map("head 1", 2, 0.9)});
  show_over_training("A map becomes sharp",
                     {{0, shifted_map("", 1, 0.2)}, {50, shifted_map("", 1, 0.5)}, {100, shifted_map("", 1, 0.95)}});
  const Overlay digit{Matrix(4, 4, {0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1}),
                      Matrix(2, 2, {0.1, 0.6, 0.1, 0.2}), "patches"};
  show_overlay("An image, and where a model looks", {{plain_image(digit.image, "a digit"), digit}});
  show_graph({"Who looks at whom", {"a", "<b>", "c", "d"}, {{0, 1, 0.75}, {0, 2, 0.25}, {1, 0, 1}, {3, 3, 0.5}}});
  draw(Chart{"Softness", "d", {"1", "2"}, {{"scaled", {{0.4, 0.5, 0.6}, {0.5, 0.6, 0.6}}}}, 0, 1});
  Progress progress("training", 20);
  for (attend::Size step = 1; step <= 20; ++step) progress.step(step, 2.0 / static_cast<double>(step));
  progress.done();

  heading("Claims");
  claims.between("a share inside its range", 0.26, 0.15, 0.35);
  claims.holds("this & <that>", true);
  try_next({{"./attend run 05", "a chapter"}});
}

int sample(int argc, char** argv) {
  Options options("00", "Everything a report can hold");
  options.parse(argc, argv);
  Claims claims;
  show_everything(claims);
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, sample); }
