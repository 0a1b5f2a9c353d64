#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tutorials/lesson/chart.hpp"
#include "tutorials/lesson/terminal.hpp"

namespace attend::lesson {

/// A row of bars, one per value, lowest to highest of them; NaN is '?'. Without Unicode the bars are ink: ".:-=+*#%@".
std::string sparkline(const std::vector<double>& values, bool unicode);

/// The line a training loop shows: share done, step, loss, the course of the loss, time elapsed and left.
///
///     Progress progress("training", 1000);
///     for (Size step = 1; step <= 1000; ++step) progress.step(step, loss);
///     progress.done();
///
/// On a terminal one line is rewritten, at most ten times a second; in a pipe ten plain lines are printed per run.
class Progress {
 public:
  /// Seconds since any fixed moment; tests bring their own.
  using Clock = std::function<double()>;

  /// `steps` is the number of the last step (at least 1, else std::invalid_argument).
  Progress(std::string what, Size steps, const Screen& screen = standard_screen(), Clock clock = {});

  /// Ends an unfinished line, so that what is printed next starts on its own.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Tells that `step` steps are done and what the loss of this one was; `note` (a measure of quality, say) is
  /// shown behind the loss.
  void step(Size step, double loss, const std::string& note = "");

  /// Prints the last state for good; also when training stopped early.
  void done();

 private:
  std::string line() const;
  std::vector<double> course(Size bars) const;
  Chart loss_chart() const;
  void print_over();

  std::string what_;
  Size steps_;
  Screen screen_;
  Clock clock_;
  double start_;
  double last_print_ = -1;
  Size step_ = 0;
  double loss_ = 0;
  std::string note_;
  std::vector<double> sums_;  // of the losses in each part of the run
  std::vector<Size> counts_;  // how many they are
  Size lines_printed_ = 0;    // in a pipe
  bool line_open_ = false;    // on a terminal: the cursor stands in our line
};

}  // namespace attend::lesson
