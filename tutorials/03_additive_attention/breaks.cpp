#include "tutorials/03_additive_attention/breaks.hpp"

namespace attend::chapter03 {

using translation::Bridge;

std::vector<lesson::Break> breaks() {
  return {{"no-softmax", "the weights are the scores themselves",
           "they no longer share out one whole, and learning is slower"},
          {"no-query", "the scores do not see what is asked", "every character written looks at the same place"},
          {"visible-padding", "what fills up short texts is looked at as well", "a text depends on those beside it"}};
}

Bridge bridge_of(const lesson::Options& options) {
  if (options.breaks("no-softmax")) return Bridge::no_softmax;
  if (options.breaks("no-query")) return Bridge::no_query;
  return options.breaks("visible-padding") ? Bridge::visible_padding : Bridge::attention;
}

}  // namespace attend::chapter03
