#include "tutorials/06_many_heads/bag_of_words.hpp"

#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/size.hpp"

namespace attend::chapter06 {
namespace {

// [sentences, words of the lexicon]
Var occurrences(const Sentences& sentences, const Lexicon& lexicon) {
  const Size rows = lesson::size_of(sentences), columns = lexicon.size();
  std::vector<double> x(static_cast<std::size_t>(rows * columns), 0);
  for (Size i = 0; i < rows; ++i) {
    for (const std::string& word : sentences[static_cast<std::size_t>(i)].words) {
      x[static_cast<std::size_t>(i * columns + lexicon.id(word))] = 1;
    }
  }
  return Var(Tensor::from(x, {rows, columns}));
}

Tensor praise_of(const Sentences& sentences) {
  std::vector<double> praise;
  for (const Sentence& sentence : sentences) praise.push_back(static_cast<double>(sentence.praise));
  return Tensor::from(praise, {lesson::size_of(sentences), 1});
}

}  // namespace

double bag_of_words_right(const Sentences& training, const Sentences& test) {
  constexpr Size steps = 150;
  constexpr double rate = 0.05;
  const Lexicon lexicon(training);
  const Var x = occurrences(training, lexicon), praise(praise_of(training));
  Rng any(1);  // the minimum does not depend on where the search begins
  Linear model(lexicon.size(), 1, any);
  Adam adam(rate);
  for (Size i = 0; i < steps; ++i) {
    const Var size_of_weights = sum(model.weight * model.weight) / (2.0 * static_cast<double>(training.size()));
    adam.step(model, grad(binary_cross_entropy(model(x), praise) + size_of_weights, parameters(model)));
  }
  const Tensor says_praise = model(occurrences(test, lexicon)) >= 0.0;
  return lesson::share_equal(kernel::cast(says_praise, DType::float32), praise_of(test));
}

}  // namespace attend::chapter06
