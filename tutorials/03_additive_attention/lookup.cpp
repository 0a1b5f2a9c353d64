#include "tutorials/03_additive_attention/lookup.hpp"

#include "nn/loss.hpp"
#include "nn/train.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter03 {
namespace {

constexpr Size symbols = 6, positions = 5, answers = 4, questions = 3;

using Ids = std::vector<std::int64_t>;

std::vector<std::string> letters(const Tensor& one_hot_rows) {
  std::vector<std::string> names;
  for (std::int64_t id : argmax(one_hot_rows, -1).to_ints()) names.emplace_back(1, static_cast<char>('a' + id));
  return names;
}

}  // namespace

Lookup draw_lookup(Size batch, Padding padding, Rng& rng) {
  Ids asked, keys, values, wanted;
  std::vector<Size> lengths;
  for (Size b = 0; b < batch; ++b) {
    const Size length = padding == Padding::none ? positions : 2 + rng.below(positions - 1);
    Ids text = rng.permutation(symbols), beside;
    for (Size j = 0; j < positions; ++j) beside.push_back(rng.below(answers));
    for (Size i = 0; i < questions; ++i) {
      const auto place = static_cast<std::size_t>(rng.below(length));
      asked.push_back(text[place]);
      wanted.push_back(beside[place]);
    }
    for (auto j = static_cast<std::size_t>(length); j < static_cast<std::size_t>(positions); ++j) {
      text[j] = asked[asked.size() - questions];
      beside[j] = (wanted[wanted.size() - questions] + 1) % answers;
    }
    keys.insert(keys.end(), text.begin(), text.begin() + positions);
    values.insert(values.end(), beside.begin(), beside.end());
    lengths.push_back(length);
  }
  return {one_hot(Tensor::from_ints(asked, {batch, questions}), symbols),
          one_hot(Tensor::from_ints(keys, {batch, positions}), symbols),
          one_hot(Tensor::from_ints(values, {batch, positions}), answers),
          Tensor::from_ints(wanted, {batch, questions}), lengths};
}

Learned learn_lookup(const LookupAttention& attention, Padding padding, Size steps) {
  constexpr Size hidden = 16, batch = 32, new_texts = 200;
  constexpr double rate = 0.03;
  Rng rng(3);
  AdditiveAttention layer(symbols, symbols, hidden, rng);
  Adam adam(rate);
  const auto loss_of = [&](const AdditiveAttention& model, Rng& random) {
    const Lookup lookup = draw_lookup(batch, padding, random);
    return negative_log_likelihood(log(attention(model, lookup).context + 1e-6), lookup.wanted);
  };
  for (Size i = 1; i <= steps; ++i) train_step(layer, adam, loss_of, rng, {i, 1.0});

  const Lookup lookup = draw_lookup(new_texts, padding, rng);
  const Attended seen = attention(layer, lookup);
  const Tensor right = equal(argmax(seen.context, -1), lookup.wanted);
  const auto first = [](const Tensor& x) { return contiguous(slice(x, 0, 0, 1)); };
  return {mean(Var(kernel::cast(right, DType::float64))).item(),
          {lesson::Matrix(questions, positions, first(seen.weights.value()).to_vector()), letters(first(lookup.query)),
           letters(first(lookup.key)), "what it has learned: a row is a question, a column a symbol of the text"}};
}

}  // namespace attend::chapter03
