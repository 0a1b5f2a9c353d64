#include "tutorials/comparison/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/picture.hpp"

namespace attend::comparison {
namespace {

using lesson::escaped;
using lesson::fill;
using lesson::fixed;

constexpr double width = 760, left = 64, right = 250, top = 40, bottom = 48, line_height = 15;

std::string at(double x) { return fixed(x, 1); }

std::string text_at(double x, double y, const std::string& anchor, const std::string& text) {
  return fill("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", {at(x), at(y), anchor, escaped(text)});
}

// A logarithmic scale over whole powers of ten, from pixel `from` to pixel `to`.
struct Scale {
  double low, high, from, to;

  Scale(const std::vector<double>& values, double first_pixel, double last_pixel) : from(first_pixel), to(last_pixel) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    low = std::floor(std::log10(*least));
    high = std::max(low + 1, std::ceil(std::log10(*most)));
  }
  double pixel(double value) const { return from + (to - from) * (std::log10(value) - low) / (high - low); }
};

std::string grid(const Scale& x, const Scale& y) {
  const auto line = [](double x1, double y1, double x2, double y2) {
    return fill("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#dddddd\"/>\n",
                {at(x1), at(y1), at(x2), at(y2)});
  };
  std::string out;
  for (double power = x.low; power <= x.high; ++power) {
    const double pixel = x.pixel(std::pow(10, power));
    out += line(pixel, y.from, pixel, y.to);
    out += text_at(pixel, y.from + 18, "middle", lesson::significant(std::pow(10, power), 3));
  }
  for (double power = y.low; power <= y.high; ++power) {
    const double pixel = y.pixel(std::pow(10, power));
    out += line(x.from, pixel, x.to, pixel);
    out += text_at(x.from - 6, pixel + 4, "end", lesson::significant(std::pow(10, power), 3));
  }
  return out;
}

void check(const std::vector<Candidate>& choices) {
  if (choices.empty()) throw std::invalid_argument("pareto_svg: no choices");
  for (const Candidate& choice : choices) {
    if (choice.x > 0 && choice.y > 0 && std::isfinite(choice.x) && std::isfinite(choice.y)) continue;
    throw std::invalid_argument("pareto_svg: '" + choice.name + "' is at " + lesson::significant(choice.x, 3) + ", " +
                                lesson::significant(choice.y, 3) + "; a logarithmic scale needs positive numbers");
  }
}

std::string in_words(const std::vector<Candidate>& choices, const std::vector<std::size_t>& best) {
  std::string words = "Not beaten in both: ";
  for (std::size_t i = 0; i < best.size(); ++i) words += (i > 0 ? ", " : "") + choices[best[i]].name;
  return words + ".";
}

}  // namespace

std::vector<std::size_t> front(const std::vector<Candidate>& choices) {
  std::vector<std::size_t> order(choices.size()), best;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::make_pair(choices[a].x, choices[a].y) < std::make_pair(choices[b].x, choices[b].y);
  });
  for (std::size_t i : order) {
    if (best.empty() || choices[i].y < choices[best.back()].y) best.push_back(i);
  }
  return best;
}

std::string pareto_svg(const std::string& title, const std::string& x_name, const std::string& y_name,
                       const std::vector<Candidate>& choices) {
  check(choices);
  std::vector<double> xs, ys;
  for (const Candidate& choice : choices) {
    xs.push_back(choice.x);
    ys.push_back(choice.y);
  }
  const double legend = top + line_height * static_cast<double>(choices.size());
  const double height = std::max(420.0, legend + bottom);
  const Scale x(xs, left, width - right), y(ys, height - bottom, top);
  const std::vector<std::size_t> best = front(choices);

  std::string out = fill(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" "
      "font-family=\"monospace\" font-size=\"12\">\n<title>{}</title>\n<desc>{}</desc>\n"
      "<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n",
      {fixed(width, 0), fixed(height, 0), fixed(width, 0), fixed(height, 0), escaped(title),
       escaped(in_words(choices, best)), fixed(width, 0), fixed(height, 0)});
  out += text_at(left, 20, "start", title) + grid(x, y);
  out += text_at((x.from + x.to) / 2, height - 8, "middle", x_name) + text_at(8, top - 8, "start", y_name);
  std::string points;
  for (std::size_t i : best) points += at(x.pixel(xs[i])) + "," + at(y.pixel(ys[i])) + " ";
  out += fill("<polyline points=\"{}\" fill=\"none\" stroke=\"#d95f02\" stroke-width=\"2\"/>\n", {points});
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const bool in_front = std::find(best.begin(), best.end(), i) != best.end();
    out += fill("<circle cx=\"{}\" cy=\"{}\" r=\"9\" fill=\"{}\" stroke=\"#0b559f\"/>\n",
                {at(x.pixel(xs[i])), at(y.pixel(ys[i])), in_front ? "#fdd0a2" : "#ffffff"});
    out += text_at(x.pixel(xs[i]), y.pixel(ys[i]) + 4, "middle", std::to_string(i + 1));
    out += text_at(width - right + 16, top + line_height * static_cast<double>(i) + 8, "start",
                   std::to_string(i + 1) + "  " + choices[i].name);
  }
  return out + "</svg>\n";
}

}  // namespace attend::comparison
