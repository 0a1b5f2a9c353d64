#include "tutorials/06_many_heads/validation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tests/support/compare.hpp"
#include "tutorials/06_many_heads/comparison.hpp"

using namespace attend;
using namespace attend::chapter06;
using attend::test::check_close;

namespace {

// One sentence for each number; those with "good" praise.
Sentences numbered(Size count) {
  Sentences sentences;
  for (Size i = 0; i < count; ++i) {
    const bool praise = i % 2 == 0;
    sentences.push_back({{praise ? "good" : "bad", "phone", "n" + std::to_string(i)}, praise ? 1 : 0});
  }
  return sentences;
}

ClassifierOptions small_model(Size heads) {
  ClassifierOptions options;
  options.width = 8;
  options.heads = heads;
  options.dropout = 0;
  return options;
}

Comparison made_up(const std::vector<double>& one, const std::vector<double>& eight) {
  Comparison comparison;
  comparison.contestants = {{"1 head", one, 3}, {"8 heads", eight, 3}};
  return comparison;
}

}  // namespace

TEST_CASE("every sentence is tested once, and never by a model that has seen it") {
  Rng rng(1);
  const std::vector<Fold> folds = folds_of(numbered(23), 5, rng);
  REQUIRE(folds.size() == 5);
  std::map<std::string, int> tested;
  for (const Fold& fold : folds) {
    CHECK(fold.training.size() + fold.test.size() == 23);
    CHECK(fold.test.size() >= 4);
    CHECK(fold.test.size() <= 5);
    for (const Sentence& sentence : fold.test) {
      ++tested[sentence.words[2]];
      const bool seen = std::any_of(fold.training.begin(), fold.training.end(),
                                    [&](const Sentence& other) { return other.words[2] == sentence.words[2]; });
      CHECK(!seen);
    }
  }
  CHECK(tested.size() == 23);
  for (const auto& [word, times] : tested) CHECK(times == 1);
}

TEST_CASE("folds are mixed, the same for one seed, and refuse what cannot be cut") {
  Rng rng(1), again(1), other(2);
  const Sentences sentences = numbered(20);
  const auto first_test = [&](Rng& draws) {
    const std::vector<Fold> folds = folds_of(sentences, 5, draws);
    Words names;
    for (const Sentence& sentence : folds[0].test) names.push_back(sentence.words[2]);
    return names;
  };
  const Words names = first_test(rng);
  CHECK(first_test(again) == names);
  CHECK(first_test(other) != names);
  CHECK_THROWS_AS(folds_of(sentences, 1, rng), std::invalid_argument);
  CHECK_THROWS_AS(folds_of(numbered(3), 4, rng), std::invalid_argument);
}

TEST_CASE("a model learns the word that decides, and the same seed gives the same model") {
  TrainingOptions options;
  options.epochs = 10;
  options.rate = 0.02;
  std::vector<double> losses;
  const Trained model = trained(numbered(60), small_model(2), options, 4,
                                [&](Size, double loss, const Classifier&) { losses.push_back(loss); });
  REQUIRE(losses.size() == 10);
  CHECK(losses.back() < 0.2 * losses.front());
  const Sentences unseen = {{{"good", "phone", "new"}, 1}, {{"bad", "phone", "new"}, 0}};
  CHECK(judged(model.model, unseen, model.lexicon).right == 1);
  const Trained again = trained(numbered(60), small_model(2), options, 4);
  CHECK(judged(again.model, unseen, again.lexicon).loss == judged(model.model, unseen, model.lexicon).loss);
  const Trained other = trained(numbered(60), small_model(2), options, 5);
  CHECK(judged(other.model, unseen, other.lexicon).loss != judged(model.model, unseen, model.lexicon).loss);
}

TEST_CASE("training ends where the loss on sentences kept back is least, before the last epoch if labels are noise") {
  Sentences noise = numbered(60);
  Rng rng(6);
  for (Sentence& sentence : noise) {
    sentence.praise = rng.below(2);
    sentence.words = {"w" + std::to_string(rng.below(12)), "w" + std::to_string(rng.below(12))};
  }
  TrainingOptions options;
  options.epochs = 30;
  options.rate = 0.03;
  const Trained model = trained_as_long_as_it_helps(noise, small_model(1), options, 7);
  CHECK(model.epochs < 15);
  CHECK(model.validation_loss > 0.5);
  const Trained clear = trained_as_long_as_it_helps(numbered(60), small_model(1), options, 7);
  CHECK(clear.epochs > model.epochs);
  CHECK(clear.validation_loss < 0.05);
}

TEST_CASE("differences to one head are paired over all folds of all comparisons, in points") {
  const std::vector<Comparison> both = {made_up({0.80, 0.70}, {0.81, 0.72}), made_up({0.60, 0.90}, {0.63, 0.94})};
  const Interval found = difference_to_one_head(both, "8 heads", 0), expected = interval_of({1, 2, 3, 4});
  check_close(found.mean, 2.5, 1e-12);
  check_close(found.low, expected.low, 1e-12);
  check_close(difference_to_one_head(both, "8 heads", 0.25).high, interval_of({1, 2, 3, 4}, 0.25).high, 1e-12);
  CHECK_THROWS_AS(contestant(both[0], "3 heads"), std::invalid_argument);
}

TEST_CASE("the figures of a comparison are each model's mean share and its difference to one head") {
  const auto figures = figures_of(made_up({0.80, 0.70}, {0.81, 0.72}));
  REQUIRE(figures.size() == 3);
  CHECK(figures[0].first == "right, 1 head");
  check_close(figures[0].second, 0.75, 1e-15);
  CHECK(figures[2].first == "8 heads less 1 head, points");
  check_close(figures[2].second, 1.5, 1e-12);
}
