// The check of exercise 3: what the library says.
#include <cmath>

#include "tutorials/12_sparse/cost.hpp"
#include "tutorials/12_sparse/patterns.hpp"
#include "tutorials/12_sparse/reach.hpp"
#include "tutorials/lesson/predict.hpp"
#include "tutorials/lesson/variant_cost.hpp"

using namespace attend;
using namespace attend::chapter12;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  const std::vector<Contender> all = contenders();
  const auto count_of = [&](const std::string& name) {
    Rng rng(1);
    return static_cast<double>(pairs(pattern(contender(all, name).make(0, length, rng), length)));
  };
  const auto layers_of = [&](const std::string& name) {
    return static_cast<double>(reach(contender(all, name), length, 10, 1).last_sees_first.value_or(0));
  };
  const auto growth = [](const std::string& name) {
    for (const Variant& variant : costed(false)) {
      if (variant.name != name) continue;
      const auto counted = [&](Size T) { return static_cast<double>(counted_multiplications(variant, T, 16)); };
      return counted(4096) / counted(2048);
    }
    return 0.0;
  };

  return {{"T = 32, a window of 4: how many pairs?",
           count_of("local window"),
           {{288, "at both ends there are fewer keys."},
            {1024, "that is softmax attention."},
            {160, "the window reaches to both sides."}}},
          {"After how many layers does the last see the first?",
           layers_of("local window"),
           {{31, "each layer carries 4 further."}, {7, "7 · 4 = 28 is not enough for the distance 31."}}},
          {"Strided: after how many layers?",
           layers_of("strided"),
           {{1, "the distance 31 is no multiple of 6, and more than the window."},
            {6, "a stride brings it near in one layer, the window the rest in another."}}},
          {"Twice T: how many times the work of a window?",
           growth("local window"),
           {{4, "the window stays as wide: each query has as many keys as before."}},
           0.02},
          {"Twice T: how many times the work of softmax attention?",
           growth("softmax"),
           {{2, "twice as many queries, each with twice as many keys."}},
           0.02}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/12_sparse/exercise_3_predict.cpp", predictions(), riddles());
}
