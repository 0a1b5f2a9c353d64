#pragma once
#include <functional>

#include "tutorials/lesson/images.hpp"

/// Two digits, and a cue that says which of them is meant.

namespace attend::chapter09 {

/// The digits in three parts that share no image: to learn from, to choose settings by, and to report.
struct Split {
  lesson::Images training, validation, test;  // 1,000, 297 and 500
};
Split split_digits(const lesson::Images& digits, Rng& rng);

/// N pairs of digits with their cues.
struct CuedDigits {
  Tensor pixels;  // float32 [N, 3, 8, 8]: a digit; another; the cue, 0 but for the corner pixel, which is 1 or −1
  Tensor plus;    // bool [N]: the cue is 1, and the first digit is meant; else the second
  Tensor meant, other;  // int64 [N]: the classes of the digit that is meant, and of the one that is not
};

/// Pairs drawn from `digits`, each cue with probability 1/2.
CuedDigits draw_cued(const lesson::Images& digits, Size count, Rng& rng);

/// The same digits with the other cue.
CuedDigits turned(const CuedDigits& pairs);

/// Images and the classes that are wanted.
struct Examples {
  Tensor pixels, labels;  // [N, C, 8, 8], int64 [N]
};

/// A task: how many channels its images have, examples to learn from without end, and two fixed sets of 1,000.
struct Task {
  Size channels;
  std::function<Examples(Size count, Rng& rng)> draw;
  Examples validation, test;
};

/// Which of two digits is meant? `test` has the pairs of `cued_test`, in the same order.
struct CuedTask : Task {
  CuedDigits cued_test;
};
CuedTask cued_task(const Split& split, Rng& rng);

/// Digits as they are, one channel: a task without anything to choose.
Task plain_task(const Split& split);

}  // namespace attend::chapter09
