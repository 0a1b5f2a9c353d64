// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"many", {50, 7, 32, 0.1353, 1}, "beginnings"},
          {"few", {2, 7, 32, 0.1353, 1}, "alive at once"},
          {"four beginnings", {10, 8, 32, 0.1353, 1}, "there anyway"},
          {"the beginnings", {10, 4, 32, 0.1353, 1}, "layers alive"},
          {"plain", {10, 16, 32, 0.1353, 1}, "plain chain"},
          {"one head", {10, 7, 4, 0.1353, 1}, "of its own"},
          {"one byte", {10, 7, 8, 0.1353, 1}, "four bytes"},
          {"upside down", {10, 7, 32, 7.389, 1}, "at most 1"},
          {"a ratio", {10, 7, 32, 0.6, 1}, "units of exp"},
          {"exact", {10, 7, 32, 0.1353, 1.0004}, "no number"}};
}
