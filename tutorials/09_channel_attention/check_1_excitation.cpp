// The check of exercise 1: shapes, tiny numbers, properties, differences.
#include <functional>

#include "nn/attention/squeeze_excitation.hpp"
#include "tensor/random.hpp"
#include "tutorials/09_channel_attention/exercise_1_excitation.hpp"
#include "tutorials/09_channel_attention/on_paper.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"

using namespace attend;
using namespace attend::chapter09;
using namespace attend::lesson;

namespace attend::chapter09 {

bool is_filled(const Excited& given) { return given.gates.defined() && given.y.defined(); }
bool has_history(const Excited& given) { return given.gates.needs_grad(); }

}  // namespace attend::chapter09

namespace {

constexpr Size C = 6, hidden = 2;

ExcitationInputs random_inputs(Size B, Size H, Size W) {
  Rng rng(1);
  const auto draw = [&](const Shape& shape) { return Var::parameter(rng.normal(shape, 0, 1, DType::float64)); };
  return {draw({B, C, H, W}), draw({C, hidden}), draw({hidden, C})};
}

// Height and width are those of the gates [B, C]: no mix-up of axes throws here, and the check can tell which it is.
ExcitationInputs confusable_inputs() { return random_inputs(2, 2, C); }

ExcitationInputs on_paper_inputs() {
  const PaperExample paper = paper_example();
  return {Var(paper.x), Var(paper.W_1), Var(paper.W_2)};
}

// The layer of the library, which tests compare with plain loops, with these matrices.
Excited expected_of(const ExcitationInputs& in) {
  Rng rng(1);
  SqueezeExcitation layer(in.W_1.shape()[0], in.W_1.shape()[0] / in.W_1.shape()[1], rng);
  layer.squeeze.weight = in.W_1;
  layer.excite.weight = in.W_2;
  return {layer.gates(in.x), layer(in.x)};
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  std::function<Var(const ExcitationInputs&)> value;
  std::string bug;
};

Var scores(const Var& z, const ExcitationInputs& in) { return matmul(relu(matmul(z, in.W_1)), in.W_2); }
Var squeezed(const ExcitationInputs& in) { return mean(in.x, {2, 3}); }
Var as_channels(const Var& gates) { return reshape(gates, {gates.shape()[0], gates.shape()[1], 1, 1}); }

std::vector<Suspect> suspects_of_gates() {
  return {
      {[](const ExcitationInputs& in) {
         return sigmoid(scores(mean(in.x, {1, 2}), in));
       },
       "the mean went over axes 1 and 2, the channels and rows. Axes count from 0: [B, C, H, W], and the mean goes "
       "over 2 and 3."},
      {[](const ExcitationInputs& in) {
         return sigmoid(scores(sum(in.x, {2, 3}), in));
       },
       "a sum in place of a mean: larger images would get other gates."},
      {[](const ExcitationInputs& in) {
         return sigmoid(scores(max(in.x, {2, 3}), in));
       },
       "the maximum of each channel was taken. That is half of CBAM; here it is the mean."},
      {[](const ExcitationInputs& in) {
         const Var z = reshape(mean(in.x, {0, 2, 3}), {1, C});
         return broadcast_to(sigmoid(scores(z, in)), {in.x.shape()[0], C});
       },
       "the mean went over the batch, too: all images have the same gates."},
      {[](const ExcitationInputs& in) { return sigmoid(matmul(matmul(squeezed(in), in.W_1), in.W_2)); },
       "relu is missing between W_1 and W_2: without it the two are one matrix."},
      {[](const ExcitationInputs& in) { return scores(squeezed(in), in); },
       "sigmoid is missing: the gates are the scores themselves, below 0 and above 1."},
      {[](const ExcitationInputs& in) { return softmax(scores(squeezed(in), in)); },
       "softmax in place of sigmoid: the gates of an image sum to 1. Here each is on its own."},
      {[](const ExcitationInputs& in) { return relu(matmul(sigmoid(matmul(squeezed(in), in.W_1)), in.W_2)); },
       "relu and sigmoid have changed places: relu inside, sigmoid at the end."},
      {[](const ExcitationInputs& in) {
         return sigmoid(matmul(relu(matmul(squeezed(in), transpose(in.W_2))), transpose(in.W_1)));
       },
       "W_2 came first, transposed. W_1 makes C / r numbers of C, and W_2 makes C of them again."},
  };
}

std::vector<Suspect> suspects_of_results() {
  return {
      {[](const ExcitationInputs& in) { return in.x; }, "y is x: the gates were made and not used."},
      {[](const ExcitationInputs& in) { return in.x * expected_of(in).gates; },
       "the gates [B, C] were multiplied as they are. Missing axes are added in front, so they met height and width: "
       "give them the form [B, C, 1, 1]."},
      {[](const ExcitationInputs& in) {
         return in.x * reshape(expected_of(in).gates, {in.x.shape()[0], 1, 1, C});
       },
       "the gates lie along the width. The form [B, C, 1, 1] puts them along the channels."},
      {[](const ExcitationInputs& in) { return in.x + as_channels(expected_of(in).gates); },
       "the gates were added to x. They are to be multiplied."},
      {[](const ExcitationInputs& in) { return in.x + in.x * as_channels(expected_of(in).gates); },
       "x was added once more: channels can no longer be closed."},
  };
}

std::string likely_bug(const ExcitationAnswer& answer) {
  const ExcitationInputs in = confusable_inputs();
  const auto look = [&](const Excited& given) -> std::string {
    for (const Suspect& suspect : suspects_of_gates()) {
      if (close(given.gates.value(), suspect.value(in).value())) return suspect.bug;
    }
    for (const Suspect& suspect : suspects_of_results()) {
      if (close(given.y.value(), suspect.value(in).value())) return suspect.bug;
    }
    return "";
  };
  return likely_bug_of([&] { return answer.excite(in); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const ExcitationAnswer& answer, Steps& steps) {
  const ExcitationInputs in = random_inputs(3, 4, 5);
  const Shape gates = {3, C}, y = {3, C, 4, 5};
  const std::string expected = "gates " + text(gates) + ", y " + text(y);
  const auto found = [&] {
    const Excited given = answer.excite(in);
    return "gates " + shape_of(given.gates) + ", y " + shape_of(given.y);
  };
  expect_shapes(steps, "x " + text(in.x.shape()), expected, found, [&] { return likely_bug(answer); });
}

void check_numbers(const ExcitationAnswer& answer, Steps& steps) {
  const ExcitationInputs small = on_paper_inputs();
  const Excited given = answer.excite(small), expected = expected_of(small);
  if (!close(given.gates.value(), expected.gates.value())) {
    throw Mistake("The gates of the page's example:\nexpected: " + listed(expected.gates.value()) +
                      "\nyours:    " + listed(given.gates.value()),
                  likely_bug(answer));
  }
  if (!close(given.y.value(), expected.y.value())) {
    throw Mistake("The gates of the page's example are right. The result:\nexpected: " + listed(expected.y.value()) +
                      "\nyours:    " + listed(given.y.value()),
                  likely_bug(answer));
  }
  steps.passed("the page's example: gates " + listed(given.gates.value()));

  const ExcitationInputs large = confusable_inputs();
  const Excited found = answer.excite(large), wanted = expected_of(large);
  if (!close(found.gates.value(), wanted.gates.value()) || !close(found.y.value(), wanted.y.value())) {
    throw Mistake(
        "The page's example comes out right. With two random images, of which height and width are B and C, "
        "something does not.",
        likely_bug(answer));
  }
  steps.passed("random images");
}

void check_properties(const ExcitationAnswer& answer, Steps& steps) {
  const ExcitationInputs in = random_inputs(3, 4, 5);
  const Var flipped = flip(in.x, {2, 3});
  if (!close(answer.excite({flipped, in.W_1, in.W_2}).y.value(), flip(answer.excite(in).y, {2, 3}).value())) {
    throw Mistake("An image turned upside down does not give its result turned upside down.",
                  "the place of a pixel has a part in the gates; only the mean may have one.");
  }
  const ExcitationInputs zero = {in.x, in.W_1, in.W_2 * 0.0};
  if (!close(answer.excite(zero).y.value(), (0.5 * in.x).value())) {
    throw Mistake("With W_2 = 0 every gate is 1/2, and y half of x. Yours is not.", likely_bug(answer));
  }
  steps.passed("properties: pixels may change places; W_2 = 0 gives half of x");
}

void check_differences(const ExcitationAnswer& answer, Steps& steps) {
  const ExcitationInputs in = random_inputs(2, 3, 4);
  if (!answer.excite(in).gates.needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches W_1 and W_2: the gates have no history.",
                  likely_bug(answer));
  }
  expect_gradients(
      steps, "squeeze-and-excitation",
      [&](const Vars& v) {
        return answer.excite({v[0], v[1], v[2]}).y;
      },
      {in.x.value(), in.W_1.value(), in.W_2.value()}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/09_channel_attention/exercise_1_excitation.cpp", excitation_answers(),
                       {check_shapes, check_numbers, check_properties, check_differences});
}
