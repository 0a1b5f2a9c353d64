#include "tutorials/lesson/median.hpp"

#include <algorithm>

#include "tutorials/lesson/stopwatch.hpp"

namespace attend::lesson {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double median_milliseconds(Size runs, const std::function<void()>& run) {
  std::vector<double> times;
  for (Size i = 0; i < runs; ++i) {
    const ProcessorStopwatch watch;
    run();
    times.push_back(1000 * watch.seconds());
  }
  return median(times);
}

}  // namespace attend::lesson
