#pragma once

#include <chrono>
#include <ctime>

namespace attend::lesson {

/// Wall-clock time since it was made, in seconds; unmoved by changes of the system's date.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
};

/// Time of the processor since it was made, in seconds, of all threads of the program: what others do on the machine at
/// the same time counts for little.
class ProcessorStopwatch {
 public:
  double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  const std::clock_t start_ = std::clock();
};

}  // namespace attend::lesson
