#pragma once
#include <string>
#include <vector>

#include "tutorials/10_attention_and_convolution/models.hpp"
#include "tutorials/lesson/images.hpp"

/// The two tasks of this chapter: which class does an image belong to?

namespace attend::chapter10 {

struct Task {
  std::string name;
  lesson::Images training, test;
  ImageForm form;
  std::vector<std::string> classes;
};

/// Handwritten digits, 8 × 8: 1,437 to learn from and 360 for the test, drawn by the seed.
Task digits_task(std::uint64_t seed);

/// Pictures of clothes, 14 × 14: 5,000 to learn from and 1,000 for the test, as they were published.
Task fashion_task();

}  // namespace attend::chapter10
