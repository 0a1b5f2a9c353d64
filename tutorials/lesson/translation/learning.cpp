#include "tutorials/lesson/translation/learning.hpp"

#include <algorithm>

namespace attend::translation {

Answers answers_of(const Task& task, const Written& written) {
  Answers answers{{}, written.weights};
  for (const Ids& ids : written.ids) answers.texts.push_back(task.target.decode(ids));
  return answers;
}

double exact_match(const Answers& answers, const std::vector<Example>& examples) {
  Size right = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) right += answers.texts[i] == examples[i].target;
  return static_cast<double>(right) / static_cast<double>(examples.size());
}

Size longest_target(const Task& task) {
  Size longest = 0;
  for (const Example& example : task.training) longest = std::max(longest, static_cast<Size>(example.target.size()));
  return longest + 1;
}

}  // namespace attend::translation
