// The check of exercise 3: what the library says.
#include <cmath>

#include "tensor/kernels.hpp"
#include "tutorials/14_hashing/collisions.hpp"
#include "tutorials/14_hashing/cost.hpp"
#include "tutorials/14_hashing/pairs.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::chapter14;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  const auto pairs = [](bool around) { return kernel::sum(met(Buckets(32, 0), 8, around), {0, 1}, false).item(); };
  const double right_angle = std::acos(0.0), sixty_degrees = std::acos(0.5);
  const Variant lsh = costed().back();
  const auto work = [&](Size T) { return static_cast<double>(lsh.multiplications(T, 64)); };

  return {{"32 positions, chunks of 8, the first looks back at the last: how many pairs?",
           pairs(true),
           {{256, "a query sees its own chunk and the one before."}, {1024, "that is full attention."}}},
          {"And if the first looks back at nothing?",
           pairs(false),
           {{512, "the 8 queries of the first chunk lose 8 keys each."},
            {504, "each of the 8 queries of the first chunk loses 8 keys."}}},
          {"Two vectors at 60 degrees: the probability of one of two buckets?",
           collision_probability(sixty_degrees, 2),
           {{0.5, "that is the cosine; the angle counts."}, {1.0 / 3, "that is the probability of two buckets."}},
           0.01},
          {"At a right angle: of one bucket in at least one of 4 rounds?",
           in_some_round(collision_probability(right_angle, 2), 4),
           {{2, "probabilities do not add up like that: none of four has 1/2 to the power 4."},
            {0.0625, "that is the probability of none of the four."},
            {0.5, "four rounds have four chances."}},
           0.01},
          {"4 times T: how many times the work of LSH in its usual settings?",
           work(16384) / work(4096),
           {{16, "that is softmax attention."}, {4, "the chunks grow as well, and with them the keys of each query."}},
           0.03}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/14_hashing/exercise_3_predict.cpp", predictions(), riddles());
}
