#include "tutorials/04_dot_products_and_scale/figures.hpp"

#include <cmath>
#include <functional>

#include "tutorials/lesson/median.hpp"

namespace attend::chapter04 {
namespace {

lesson::Chart chart_of(const std::function<lesson::Spread(const std::string& name)>& spread_of) {
  lesson::Chart chart{"Softness of the weights: 1 is as soft as can be", "d", {}, {}, 0, 1, 2};
  for (Size d : widths()) chart.places.push_back(std::to_string(d));
  const double most = std::log(static_cast<double>(keys));
  for (const std::string figure : {"entropy", "trace"}) {
    for (const std::string scale : {"without scale", "with scale"}) {
      lesson::Series series{figure + (figure == "entropy" ? " / log 64, " : ", ") + scale, {}};
      for (Size d : widths()) {
        lesson::Spread spread = spread_of(figure + " " + scale + ", d = " + std::to_string(d));
        const double unit = figure == "entropy" ? most : 1;
        series.points.push_back({spread.low / unit, spread.mean / unit, spread.high / unit});
      }
      chart.series.push_back(series);
    }
  }
  return chart;
}

}  // namespace

const std::vector<Size>& widths() {
  static const std::vector<Size> list = {16, 64, 256, 1024};
  return list;
}

AtWidth measure(Size d, Size sets, Centre centre, Factor scaled, std::uint64_t seed) {
  Rng rng(seed);
  const Drawn drawn = draw(d, sets, centre, rng);
  const double one = factor(Factor::one, d), other = factor(scaled, d), variance = product_variance(drawn);
  AtWidth at{d,
             variance,
             variance * other * other,
             softness(drawn, one),
             softness(drawn, other),
             gradients(drawn, one),
             gradients(drawn, other),
             0,
             0};
  at.plain_tiny = share_below(at.plain_gradients.queries, mean(at.plain_gradients.queries) / 100);
  at.scaled_tiny = share_below(at.scaled_gradients.queries, mean(at.scaled_gradients.queries) / 100);
  return at;
}

std::vector<std::pair<std::string, double>> named(const AtWidth& at) {
  const std::string d = ", d = " + std::to_string(at.d);
  return {{"variance of q · k" + d, at.variance},
          {"entropy without scale" + d, at.plain.entropy},
          {"entropy with scale" + d, at.scaled.entropy},
          {"trace without scale" + d, at.plain.trace},
          {"trace with scale" + d, at.scaled.trace},
          {"median gradient without scale" + d, lesson::median(at.plain_gradients.queries)},
          {"median gradient with scale" + d, lesson::median(at.scaled_gradients.queries)},
          {"mean gradient without scale" + d, mean(at.plain_gradients.queries)},
          {"mean gradient with scale" + d, mean(at.scaled_gradients.queries)},
          {"tiny gradients without scale" + d, at.plain_tiny}};
}

lesson::Chart softness_chart(const std::vector<AtWidth>& measured) {
  return chart_of([&](const std::string& wanted) {
    for (const AtWidth& at : measured) {
      for (const auto& [name, value] : named(at)) {
        if (name == wanted) return lesson::Spread{value, value, value};
      }
    }
    throw std::invalid_argument("softness_chart: nothing was measured for " + wanted);
  });
}

lesson::Chart softness_chart(const lesson::Results& results) {
  return chart_of([&](const std::string& name) {
    const lesson::Figure& figure = results.at(name);
    return lesson::Spread{figure.min, figure.mean, figure.max};
  });
}

}  // namespace attend::chapter04
