// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  const double third = 1.0 / 3, share = 15.0 / 16;
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"the own chunk", {256, 448, 2 * third, share, 8}, "the one before"},
          {"all", {1024, 448, 2 * third, share, 8}, "full attention"},
          {"nothing is lost", {512, 512, 2 * third, share, 8}, "lose 8 keys each"},
          {"one key each", {512, 504, 2 * third, share, 8}, "loses 8 keys"},
          {"the cosine", {512, 448, 0.5, share, 8}, "the angle counts"},
          {"apart", {512, 448, third, share, 8}, "of two buckets"},
          {"added up", {512, 448, 2 * third, 2, 8}, "do not add up"},
          {"none", {512, 448, 2 * third, 0.0625, 8}, "none of the four"},
          {"one round", {512, 448, 2 * third, 0.5, 8}, "four chances"},
          {"squared", {512, 448, 2 * third, share, 16}, "softmax attention"},
          {"linear", {512, 448, 2 * third, share, 4}, "the chunks grow"}};
}
