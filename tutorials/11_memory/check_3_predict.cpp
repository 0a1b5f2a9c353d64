// The check of exercise 3: what the library says.
#include "autograd/ops.hpp"
#include "tutorials/11_memory/running.hpp"
#include "tutorials/11_memory/segments.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::chapter11;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  double best = 1;
  for (Size segments = 1; segments <= 100; ++segments) {
    if (remembered_tensors(100, segments) < remembered_tensors(100, static_cast<Size>(best))) {
      best = static_cast<double>(segments);
    }
  }
  const double rounded_sum = cast(Var(Tensor::full({}, 1.0004, DType::float64)), DType::float16).value().to_vector()[0];

  return {{"100 layers: how many segments remember least?",
           best,
           {{50, "49 beginnings are remembered then."}, {2, "50 layers of a segment are alive at once then."}}},
          {"16 layers, 4 segments: tensors remembered?",
           static_cast<double>(remembered_tensors(16, 4)),
           {{8, "the first segment begins with the input, which is there anyway."},
            {4, "one segment has its layers alive, too."},
            {16, "that is the plain chain."}}},
          {"T = 1,024, 8 heads, float32: MiB of weights?",
           1024.0 * 1024 * 8 * width(DType::float32) / (1 << 20),
           {{4, "each head has weights of its own."}, {8, "a float32 has four bytes."}}},
          {"The largest score rises from 3 to 5: the factor?",
           on_paper().at(1).factor,
           {{7.389, "the factor is at most 1: exp of the old maximum less the new one."},
            {0.6, "sums are in units of exp(−m), not of m."}},
           0.01},
          {"1 + 0.0004 in float16?",
           rounded_sum,
           {{1.0004, "float16 has no number there: its neighbours of 1 are 0.001 apart."}}}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/11_memory/exercise_3_predict.cpp", predictions(), riddles());
}
