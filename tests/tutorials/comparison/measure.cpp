#include "tutorials/comparison/measure.hpp"

#include <doctest/doctest.h>

#include "tutorials/comparison/tasks.hpp"

using namespace attend;
using namespace attend::comparison;

namespace {

const Variant& named(const std::string& name) {
  for (const Family& family : families()) {
    for (const Variant& variant : family.variants) {
      if (variant.name == name) return variant;
    }
  }
  throw std::invalid_argument("no variant '" + name + "'");
}

}  // namespace

TEST_CASE("softmax attention has no error, and costs what its formula says; its peak grows as its pairs") {
  const Measured small = measure(named("softmax"), 64, 8, 1, 1), large = measure(named("softmax"), 128, 8, 1, 1);
  CHECK(small.error == 0);
  CHECK(small.multiplications == static_cast<double>(named("softmax").multiplications(64, 8)));
  CHECK(small.peak_bytes >= 64 * 64 * sizeof(float));
  CHECK(large.peak_bytes > 3 * small.peak_bytes);
}

TEST_CASE("a window is far from softmax attention where it sees little, and is it where it sees all") {
  CHECK(measure(named("local window"), 64, 8, 1, 1).error > 0.1);
  CHECK(measure(named("local window"), 5, 8, 1, 1).error < 1e-6);
}

TEST_CASE("a causal task suits the variants with a causal form alone") {
  const std::vector<Trial> all = trials();
  CHECK(all[0].suits(named("Linformer")));
  CHECK_FALSE(all[1].suits(named("Linformer")));
  CHECK(all[1].suits(named("local window")));
  CHECK(figure_name(named("local window"), all[0]) == "reversal, local window");
}
