#include "tutorials/lesson/progress.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/report/report.hpp"
#include "tutorials/lesson/stopwatch.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

constexpr Size parts = 16;              // bars of the sparkline; fewer where the line is short of room
constexpr Size lines_in_a_pipe = 10;    // per run
constexpr double shortest_pause = 0.1;  // seconds between two rewrites

constexpr const char* unicode_bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr const char* ascii_bars[] = {".", ":", "-", "=", "+", "*", "#", "%", "@"};

template <std::size_t N>
const char* bar_at(const char* const (&items)[N], double level) {
  return items[std::lround(std::clamp(level, 0.0, 1.0) * static_cast<double>(N - 1))];
}

}  // namespace

std::string sparkline(const std::vector<double>& values, bool unicode) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double v) { return std::isfinite(v); });
  const double low = finite.empty() ? 0 : *std::min_element(finite.begin(), finite.end());
  const double high = finite.empty() ? 0 : *std::max_element(finite.begin(), finite.end());

  std::string text;
  for (const double value : values) {
    if (std::isnan(value)) {
      text += "?";
      continue;
    }
    const double level = std::isinf(value) ? (value > 0 ? 1 : 0) : high > low ? (value - low) / (high - low) : 0;
    text += unicode ? bar_at(unicode_bars, level) : bar_at(ascii_bars, level);
  }
  return text;
}

Progress::Progress(std::string what, Size steps, const Screen& screen, Clock clock)
    : what_(std::move(what)), steps_(steps), screen_(screen), clock_(std::move(clock)), sums_(parts), counts_(parts) {
  if (steps < 1) throw std::invalid_argument("Progress: " + std::to_string(steps) + " steps");
  if (!clock_) clock_ = [watch = Stopwatch()] { return watch.seconds(); };
  start_ = clock_();
}

Progress::~Progress() {
  if (line_open_) *screen_.out << std::endl;
}

void Progress::step(Size step, double loss, const std::string& note) {
  step_ = step;
  loss_ = loss;
  note_ = note;
  const Size part = std::clamp<Size>((step - 1) * parts / steps_, 0, parts - 1);
  sums_[part] += loss;
  ++counts_[part];

  if (screen_.rewrites_lines) {
    const double now = clock_();
    if (last_print_ >= 0 && now - last_print_ < shortest_pause) return;
    last_print_ = now;
    print_over();
  } else if (step * lines_in_a_pipe >= (lines_printed_ + 1) * steps_) {
    lines_printed_ = step * lines_in_a_pipe / steps_;
    *screen_.out << line() << std::endl;
  }
}

void Progress::done() {
  if (screen_.report != nullptr) screen_.report->chart(loss_chart());
  if (screen_.rewrites_lines) {
    print_over();
    *screen_.out << std::endl;
    line_open_ = false;
  } else if (lines_printed_ * steps_ < step_ * lines_in_a_pipe) {
    *screen_.out << line() << std::endl;
  }
}

void Progress::print_over() {
  *screen_.out << '\r' << line() << "\x1b[K" << std::flush;
  line_open_ = true;
}

/// The mean loss in each of `bars` parts of the run, as far as it has come; `bars` divides `parts`.
std::vector<double> Progress::course(Size bars) const {
  std::vector<double> losses;
  for (Size bar = 0; bar < bars; ++bar) {
    double sum = 0;
    Size number = 0;
    for (Size i = bar * parts / bars; i < (bar + 1) * parts / bars; ++i) {
      sum += sums_[i];
      number += counts_[i];
    }
    if (number > 0) losses.push_back(sum / static_cast<double>(number));
  }
  return losses;
}

/// The course of the loss by steps. A loss that is no number has no place on a scale and is left out.
Chart Progress::loss_chart() const {
  Chart chart{what_ + ": the loss", "steps", {}, {{"loss", {}}}, 0, 0, 4};
  for (Size part = 0; part < parts; ++part) {
    const double loss = sums_[part] / static_cast<double>(counts_[part]);
    if (counts_[part] == 0 || !std::isfinite(loss)) continue;
    chart.places.push_back(std::to_string(((part + 1) * steps_ + parts - 1) / parts));
    chart.series[0].points.push_back({loss, loss, loss});
    chart.low = std::min(chart.low, loss);
    chart.high = std::max(chart.high, loss);
  }
  if (chart.high <= chart.low) chart.high = chart.low + 1;
  return chart;
}

std::string Progress::line() const {
  const double elapsed = clock_() - start_;
  const std::string total = std::to_string(steps_);
  const std::string share = pad_left(std::to_string(100 * step_ / steps_), 3);
  const std::string step = pad_left(std::to_string(step_), size_of(total));
  std::string text = fill("{} {} %  {}/{}  loss {}", {what_, share, step, total, pad_right(significant(loss_, 3), 6)});
  if (!note_.empty()) text += "  " + note_;

  // One column short of the edge: a full line would make the terminal wrap, and then nothing can be printed over.
  const Size width = screen_.width - 1;
  std::string time = "  " + duration(elapsed);
  if (step_ > 0 && step_ < steps_) {
    const double a_step = elapsed / static_cast<double>(step_);
    const std::string left = ", " + duration(a_step * static_cast<double>(steps_ - step_)) + " left";
    if (columns(text) + columns(time + left) <= width) time += left;  // what was measured goes before what is guessed
  }
  const Size room = width - columns(text) - columns(time) - 2;
  for (const Size bars : {parts, parts / 2, parts / 4}) {
    if (bars > room) continue;
    text += "  " + pad_right(sparkline(course(bars), screen_.unicode), bars);
    break;
  }
  return truncate(text, width - columns(time), screen_.unicode ? "…" : "~") + time;
}

}  // namespace attend::lesson
