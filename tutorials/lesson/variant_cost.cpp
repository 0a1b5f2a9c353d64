#include "tutorials/lesson/variant_cost.hpp"

#include <algorithm>
#include <cmath>

#include "tensor/cost.hpp"
#include "tutorials/lesson/exponent.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/median.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/table.hpp"

namespace attend::lesson {
namespace {

struct Inputs {
  Var q, k, v;
  AttentionCore core;

  Inputs(const Variant& variant, Size T, Size d, Rng rng)
      : q(rng.normal({1, 1, T, d}, 0, 1)),
        k(rng.normal({1, 1, T, d}, 0, 1)),
        v(rng.normal({1, 1, T, d}, 0, 1)),
        core(variant.make(T, d, rng)) {}
  void forward() const { core(q, k, v); }
};

// A forward pass in milliseconds of the processor: the middle one of several.
double forward_milliseconds(const Variant& variant, Size T, Size d, Size rounds, std::uint64_t seed) {
  const Inputs in(variant, T, d, Rng(seed));
  const Recording off(false);
  in.forward();  // the first one also fetches memory
  return median_milliseconds(rounds, [&] { in.forward(); });
}

}  // namespace

Size counted_multiplications(const Variant& variant, Size T, Size d) {
  const Inputs in(variant, T, d, Rng(1));
  const Recording off(false);
  const CostCounter counter;
  in.forward();
  return counter.total().multiplications;
}

void multiplications_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths, Size d,
                           Claims& claims) {
  say(fill("Multiplications of one head of width {}, in millions, counted while it runs:\n", {count(d)}));
  Table table({"attention", "T = " + count(lengths.front()), "T = " + count(lengths.back()), "grows as T to the"});
  double worst = 0;
  for (const Variant& variant : variants) {
    std::vector<double> products;
    for (const Size T : {lengths.front(), lengths.back()}) {
      const Size found = counted_multiplications(variant, T, d);
      products.push_back(static_cast<double>(found));
      worst = std::max(worst, std::abs(static_cast<double>(found - variant.multiplications(T, d))));
    }
    const auto millions = [](double products_of) { return fixed(products_of / 1e6, 1); };
    table.row({variant.name, millions(products[0]), millions(products[1]),
               fixed(growth({lengths.front(), lengths.back()}, products), 2)});
  }
  table.print();
  claims.at_most("counted, less the formula: largest difference", worst, 0);
}

std::vector<std::vector<double>> cost_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths,
                                            const std::function<double(const Variant& variant, Size T)>& cost,
                                            const std::function<std::string(double cost)>& shown) {
  std::vector<std::string> headers = {"attention"};
  for (const Size T : lengths) headers.push_back(count(T));
  headers.push_back("grows as T to the");
  Table table(headers);
  std::vector<std::vector<double>> all;
  for (const Variant& variant : variants) {
    std::vector<double> costs;
    std::vector<std::string> cells = {variant.name};
    for (const Size T : lengths) {
      costs.push_back(cost(variant, T));
      cells.push_back(shown(costs.back()));
    }
    cells.push_back(fixed(growth(lengths, costs), 2));
    table.row(cells);
    all.push_back(costs);
  }
  table.print();
  return all;
}

std::vector<std::vector<double>> time_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths,
                                            Size d, std::uint64_t seed, bool quick) {
  say("\nTime of a forward pass, the processor's, one thread, the middle one of several, in milliseconds:\n");
  const auto time = [&](const Variant& variant, Size T) {
    return forward_milliseconds(variant, T, d, quick || T > 1024 ? 3 : 9, seed);
  };
  return cost_table(variants, lengths, time, [](double milliseconds) { return significant(milliseconds, 3); });
}

std::vector<Size> doubling(Size from, Size to) {
  std::vector<Size> lengths;
  for (Size T = from; T <= to; T *= 2) lengths.push_back(T);
  return lengths;
}

double growth(const std::vector<Size>& lengths, const std::vector<double>& figures) {
  return exponent({lengths.begin(), lengths.end()}, figures);
}

}  // namespace attend::lesson
