// The check of exercise 3: what the library says.
#include <cmath>

#include "autograd/ops.hpp"
#include "nn/position/relative.hpp"
#include "nn/position/rotary.hpp"
#include "nn/position/sinusoidal.hpp"
#include "tensor/random.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  Rng rng(1);
  const auto row_sum = [](Size p) { return sum(Var(sinusoidal_positions(1, 4, p))).item(); };
  const Var wide = sinusoidal_positions(1, 64, 7, 10000, DType::float64);
  const double length = std::sqrt(sum(wide * wide).item());
  const RelativeAttention relative(64, 4, 16, rng);
  const auto rows = static_cast<double>(relative.key_table.shape()[0]);
  const Var unit = Tensor::from({1, 0}, {1, 2}, DType::float64);
  const double product = sum(rotary(unit, 5) * rotary(unit, 3)).item();
  const double learned = alibi_bias(8, 4, 4).needs_grad() ? 8 : 0;

  return {{"Width 4: the sum of the numbers of position 0?",
           row_sum(0),
           {{0, "the cosine of 0 is 1."}, {4, "the sine of 0 is 0."}}},
          {"The length of a position, width 64?",
           length,
           {{8, "sine and cosine of one angle together have the length 1, and there are 32 pairs."},
            {1, "that is one pair; there are 32."}},
           0.01},
          {"Shaw, cut off at 16: rows of the table?",
           rows,
           {{16, "a key may stand before the query and behind it."}, {32, "the distance 0 has a row as well."}}},
          {"ALiBi, 8 heads: how many numbers are learned?",
           learned,
           {{8, "a slope for each head is there, but it is fixed."}}},
          {"Rotary, (1, 0) at 5 and (1, 0) at 3, ω = 1: the product?",
           product,
           {{1, "without the turning. The angle between them is 2."},
            {-0.1455, "the angle is the difference of the positions, not their sum."}},
           0.01}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/07_positions/exercise_3_predict.cpp", predictions(), riddles());
}
