#include "tutorials/11_memory/segments_lesson.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "tutorials/11_memory/remembered.hpp"
#include "tutorials/11_memory/segments.hpp"
#include "tutorials/11_memory/units.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter11 {

using namespace lesson;

namespace {

const Size number = width(DType::float32);

void rules_table(Claims& claims) {
  say("x and y are [256, 64] and W is [64, 64], float32: 65,536 and 16,384 bytes.\n");
  Table table({"op", "its rule reads", "bytes by the rule", "kept"});
  Size apart = 0;
  for (const Rule& rule : rules()) {
    const Size kept = measured(rule);
    table.row({rule.op, rule.reads, count(rule.expected), count(kept)});
    apart = std::max(apart, std::abs(kept - rule.expected));
  }
  table.print();
  claims.at_most("bytes kept and bytes by the rule: largest difference", static_cast<double>(apart), 0);
}

void attention_table(Claims& claims) {
  constexpr Size few = 64, many = 512;
  say("\nA whole layer: self-attention with 4 heads over T words of width 64, one text. Ops that keep nothing are left "
      "out.\n");
  Table table({"op", "T = 64", "T = 512", "grows"});
  const std::vector<Kept> at_few = kept_by_attention(few, true), at_many = kept_by_attention(many, true);
  const std::vector<Kept> tiled_few = kept_by_attention(few, false), tiled_many = kept_by_attention(many, false);
  const auto row = [&](const std::string& op, const std::vector<Kept>& one, const std::vector<Kept>& other) {
    const Size a = kept_bytes(one, op), b = kept_bytes(other, op);
    table.row({op, count(a), count(b), count(b / a) + " ×"});
    return b;
  };
  const Size softmax = row("softmax", at_few, at_many), products = row("matmul", at_few, at_many);
  const Size last = row("linear", at_few, at_many);
  const Size tiles = row("blockwise_attention", tiled_few, tiled_many);
  table.print();
  const Size of_words = many * width_of_words * number;
  claims.holds("softmax keeps 4 heads · T² numbers", softmax == heads * many * many * number);
  claims.holds("the products keep q, k and v: 3 · T · 64 numbers", products == 3 * of_words);
  claims.holds("the last projection keeps what the heads found: T · 64 numbers", last == of_words);
  claims.holds("blockwise attention keeps q, k, v and its result: 4 · T · 64 numbers", tiles == 4 * of_words);
}

void segments_table(const Options& options, const std::string& picture, Claims& claims) {
  const Size n = 64;
  const Chain chain = tanh_chain(n, 4096, 64, options.seed());
  const Size tensor = chain.x.value().block_bytes();
  say(fill("{} layers tanh(x W), x {}: a tensor of that shape has {}, and each layer has to remember one.\n",
           {count(n), text(chain.x.shape()), mebibytes(tensor)}));
  std::vector<Step> steps;
  for (const Size segments : {1, 2, 4, 6, 8, 11, 16, 32, 64}) {
    steps.push_back(step_in_segments(chain, segments, options.quick() ? 1 : 3));
  }
  Table table({"segments", "remembered", "peak", "of plain", "multiplications", "time", "of plain"});
  const Step& plain = steps.front();
  bool as_formula = true, same = true;
  Size working = 0;
  for (const Step& step : steps) {
    table.row({count(step.segments), mebibytes(step.remembered), mebibytes(step.peak),
               fixed(ratio(step.peak, plain.peak), 2), fixed(ratio(step.multiplications, plain.multiplications), 2),
               fixed(1000 * step.seconds, 0) + " ms", fixed(step.seconds / plain.seconds, 2)});
    as_formula = as_formula && step.remembered == tensor * remembered_tensors(n, step.segments);
    working = std::max(working, step.peak - step.remembered);
    for (std::size_t i = 0; i < plain.gradients.size(); ++i) {
      same = same && largest_difference(step.gradients[i].value(), plain.gradients[i].value()) == 0;
    }
  }
  table.print();
  std::cout << "\n";
  draw(segments_chart(steps, n));
  if (!picture.empty()) write_svg(segments_chart(steps, n), picture);
  claims.holds("remembered: s − 1 inputs and n / s layers, to the byte", as_formula);
  claims.below("tensors at the peak beyond the remembered ones, the most", ratio(working, tensor), 2);
  claims.holds("gradients: the plain ones, bit for bit, whatever s", same);
  claims.below("multiplications, the most, in those of the plain chain",
               ratio(steps.back().multiplications, plain.multiplications), 1.334);
}

void least_table(Claims& claims) {
  say("\nWhich number of segments has the smallest peak, of all from 1 to n?\n");
  Table table({"n", "√n", "best s", "peak, of plain", "remembered, of plain"});
  double farthest = 0, remembered = 0, highest = 0, of_longest = 0;
  for (const Size n : {16, 36, 64}) {
    const Least least = least_peak(n);
    const double root = std::sqrt(static_cast<double>(n));
    table.row({count(n), fixed(root, 0), count(least.segments), fixed(ratio(least.peak, least.plain_peak), 2),
               fixed(ratio(least.remembered, least.plain_remembered), 2)});
    farthest = std::max(farthest, std::fabs(static_cast<double>(least.segments) - root));
    remembered = std::max(remembered, ratio(least.remembered, least.plain_remembered));
    of_longest = ratio(least.peak, least.plain_peak);
    highest = std::max(highest, of_longest);
  }
  table.print();
  claims.at_most("best s and √n are apart by", farthest, 1);
  claims.at_most("remembered at the best s, in what the plain chain does, the most", remembered, 0.5);
  claims.at_most("peak at the best s, in that of the plain chain, the most", highest, 0.5);
  claims.at_most("peak at the best s of 64 layers", of_longest, 0.3);
}

}  // namespace

void remembered_section(Claims& claims) {
  heading("What backward must remember");
  rules_table(claims);
  attention_table(claims);
}

void segments_section(const Options& options, const std::string& picture, Claims& claims) {
  heading("Forget, and run again");
  segments_table(options, picture, claims);
  least_table(claims);
  say("\nWith dropout the second run must draw what the first one drew. 9 layers in 3 segments:");
  const Compared found = compare_with_dropout(3, options.breaks("held-stream") ? Stream::held : Stream::given);
  claims.at_most("gradients with dropout, less the plain ones: largest difference", found.difference, 0);
  claims.holds("bit for bit the same, and the random stream stands where the plain run leaves it",
               found.same_bits && found.same_stream);
}

}  // namespace attend::chapter11
