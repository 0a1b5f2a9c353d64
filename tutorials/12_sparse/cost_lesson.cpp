#include "tutorials/12_sparse/cost_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "tutorials/12_sparse/cost.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter12 {

using namespace lesson;

namespace {

constexpr Size d = 64;

std::vector<Size> lengths_of(const Options& options) {
  std::vector<Size> lengths;
  for (Size T = 256; T <= (options.quick() ? 2048 : 8192); T *= 2) lengths.push_back(T);
  return lengths;
}

std::vector<double> as_numbers(const std::vector<Size>& lengths) { return {lengths.begin(), lengths.end()}; }

void count_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths, Claims& claims) {
  say(fill("Multiplications of one head of width {}, in millions, counted while it runs:\n", {count(d)}));
  Table table({"attention", "T = " + count(lengths.front()), "T = " + count(lengths.back()), "grows as T to the"});
  double worst = 0;
  for (const Variant& variant : variants) {
    std::vector<double> products;
    for (const Size T : {lengths.front(), lengths.back()}) {
      const Size found = counted(variant, T, d);
      products.push_back(static_cast<double>(found));
      worst = std::max(worst, std::abs(static_cast<double>(found - variant.multiplications(T, d))));
    }
    const auto millions = [](double products_of) { return fixed(products_of / 1e6, 1); };
    table.row({variant.name, millions(products[0]), millions(products[1]),
               fixed(exponent(as_numbers({lengths.front(), lengths.back()}), products), 2)});
  }
  table.print();
  claims.at_most("counted, less the formula: largest difference", worst, 0);
}

void time_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths, const Options& options,
                Claims& claims) {
  say("\nTime of a forward pass, the processor's, one thread, the middle one of several, in milliseconds:\n");
  std::vector<std::string> headers = {"attention"};
  for (const Size T : lengths) headers.push_back(count(T));
  headers.push_back("grows as T to the");
  Table table(headers);
  std::vector<std::vector<double>> all;
  for (const Variant& variant : variants) {
    std::vector<double> times;
    std::vector<std::string> cells = {variant.name};
    for (const Size T : lengths) {
      const Size rounds = options.quick() ? 3 : T <= 1024 ? 9 : 3;
      times.push_back(milliseconds(variant, T, d, rounds, options.seed()));
      cells.push_back(significant(times.back(), 3));
    }
    cells.push_back(fixed(exponent(as_numbers(lengths), times), 2));
    table.row(cells);
    all.push_back(times);
  }
  table.print();
  if (options.quick()) return;
  claims.between("softmax: time grows as T to the power of", exponent(as_numbers(lengths), all[0]), 1.7, 2.3);
  claims.between("local window: time grows as T to the power of", exponent(as_numbers(lengths), all[1]), 0.8, 1.3);
  claims.at_least(fill("T = {}: softmax takes times as long as the window", {count(lengths.back())}),
                  all[0].back() / all[1].back(), 20);
}

}  // namespace

void cost_section(const Options& options, Claims& claims) {
  heading("What it costs");
  const std::vector<Size> lengths = lengths_of(options);
  const std::vector<Variant> variants = costed(options.breaks("dense-mask"));
  count_table(variants, lengths, claims);
  time_table(variants, lengths, options, claims);
}

}  // namespace attend::chapter12
