#include "tutorials/10_attention_and_convolution/tasks.hpp"

namespace attend::chapter10 {

Task digits_task(std::uint64_t seed) {
  constexpr Size test_images = 360;
  const lesson::Images all = lesson::digits8x8();
  Rng rng(seed);
  const std::vector<std::int64_t> order = rng.permutation(all.size());
  const auto border = order.begin() + test_images;
  return {"digits",
          all.select({border, order.end()}),
          all.select({order.begin(), border}),
          {8, 8},
          {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}};
}

Task fashion_task() {
  return {"fashion",
          lesson::fashion14_training(),
          lesson::fashion14_test(),
          {14, 14},
          {"T-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "boot"}};
}

}  // namespace attend::chapter10
