// The check of exercise 3: what the library says.
#include "tensor/random.hpp"
#include "tutorials/04_dot_products_and_scale/measure.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::chapter04;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  Rng rng(1);
  const Drawn drawn = draw(64, 64, Centre::zero, rng);
  Drawn alike = drawn;
  alike.query = Tensor::zeros(drawn.query.shape(), DType::float64);  // every score is 0
  const Softness equal = softness(alike, 1);

  return {{"The variance of q · k, d = 64?",
           product_variance(drawn),
           {{1, "that is the variance of one of its 64 terms."},
            {8, "that is its typical size, the root of the variance."},
            {4096, "terms that are independent add their variances; only equal ones give d²."}},
           0.05},
          {"The factor of scaled attention, d = 64?",
           factor(Factor::root, 64),
           {{1.0 / 64, "the root of d, not d."}, {8, "products become smaller."}}},
          {"64 equal weights: their entropy in nats?",
           equal.entropy,
           {{6, "that is in bits, with the logarithm to base 2."}, {64, "the logarithm of the number of keys."}},
           0.01},
          {"Two equal weights: the trace of the Jacobian?",
           trace_by_grad(Tensor::zeros({2}, DType::float64)),
           {{1, "p (1 − p) is a quarter for each, not a half."}, {0.25, "there are two on the diagonal."}}},
          {"Scores 0 and 1000: the trace?",
           trace_by_grad(Tensor::from({0, 1000}, {2}, DType::float64)),
           {{0.5, "a weight of 1 or 0 no longer moves when its score does."}}}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/04_dot_products_and_scale/exercise_3_predict.cpp", predictions(),
                           riddles());
}
