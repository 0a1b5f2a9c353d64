#pragma once

#include <functional>
#include <vector>

#include "tutorials/lesson/size.hpp"

namespace attend::lesson {

/// The middle one of the values in order, or the mean of the two in the middle. There must be one.
double median(std::vector<double> values);

/// How long `run` takes, in milliseconds of the processor: the median of so many runs.
double median_milliseconds(Size runs, const std::function<void()>& run);

}  // namespace attend::lesson
