#include "tutorials/02_soft_weights/identities.hpp"

#include <string>
#include <utility>

#include "autograd/gradcheck.hpp"
#include "tutorials/02_soft_weights/choice.hpp"
#include "tutorials/02_soft_weights/paths.hpp"
#include "tutorials/02_soft_weights/regression.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/gradients.hpp"

namespace attend::chapter02 {

void claim_gradients(std::uint64_t seed, lesson::Claims& claims) {
  Rng rng(seed);
  GradcheckOptions settings;
  settings.seed = seed;
  const auto normal = [&](const Shape& shape) { return rng.normal(shape, 0, 1, DType::float64); };
  std::vector<Tensor> words;
  for (int t = 0; t < 4; ++t) words.push_back(normal({1, 3}));
  const Tensor W = orthogonal_matrix(3, 0.9, rng);
  const Rng weights = rng.split();  // of the convolutions, the same at each call
  std::vector<GradcheckReport> reports = {
      gradcheck(
          "softmax(s / 0.5)", [](const Vars& v) { return soft_choice(v[0], 0.5); }, {normal({2, 4})}, settings),
      gradcheck(
          "kernel regression", [](const Vars& v) { return distance_attention(v[0], v[1], v[2], 0.8).context; },
          {normal({3, 2}), normal({4, 2}), normal({4, 5})}, settings),
      gradcheck(
          "recurrent network, 4 words", [&](const Vars& v) { return recurrent(v, W, true).result; }, words, settings),
      gradcheck(
          "two convolutions, 4 words",
          [&](const Vars& v) {
            Rng same = weights;
            return convolutional(v, 2, 2, same).result;
          },
          words, settings),
      gradcheck(
          "attention, 4 words", [](const Vars& v) { return attentive(v, 3).result; }, words, settings)};
  lesson::claim_gradients(std::move(reports), claims);
}

}  // namespace attend::chapter02
