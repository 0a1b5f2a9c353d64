#pragma once

#include <chrono>

namespace attend::lesson {

/// Wall-clock time since it was made, in seconds; unmoved by changes of the system's date.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
};

}  // namespace attend::lesson
