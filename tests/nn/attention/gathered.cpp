#include "nn/attention/gathered.hpp"

#include "tests/nn/attention/pattern.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size T = 5;

const auto all = [](Size, Size) { return true; };

// An attention that is given by its groups.
struct Grouped {
  std::vector<Groups> groups;
  bool looks;

  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
    return {looks ? attend_in_looks(q, k, v, mask, groups) : attend_in_parts(q, k, v, mask, groups), Var()};
  }
  void parameters(const Visit&) {}
};

}  // namespace

TEST_CASE("blocks cover the positions, with their neighbours where asked for") {
  CHECK(positions(3, 3, -2) == Positions{3, 1, -1});
  CHECK(blocks(5, 2) == std::vector<Positions>{{0, 1}, {2, 3}, {4, 5}});
  CHECK(blocks(3, 2, 1, 2) == std::vector<Positions>{{-1, 0, 1, 2, 3}, {1, 2, 3, 4, 5}});
}

TEST_CASE("a key that a group names twice counts once, and a position outside is nobody") {
  const Groups groups(T, {{0, 1, 2}, {3, 4, 5}}, {{4, -1, 4, 2}, {5, 4, 2, 2}}, all);
  CHECK(groups.keys == Positions{4, -1, -1, 2, -1, 4, 2, -1});
  check_pattern(Grouped{{groups}, false}, T, false, [](Size, Size j) { return j == 2 || j == 4; });
}

TEST_CASE("parts answer each its own queries, whatever their order") {
  const Groups odd(T, {{3, 1}}, {{0, 1, 2, 3}}, [](Size i, Size j) { return j <= i; });
  const Groups even(T, {{4, -1}, {2, 0}}, {{0}, {4}}, all);
  check_pattern(Grouped{{odd, even}, false}, T, false,
                [](Size i, Size j) { return i % 2 == 1 ? j <= i : j == (i == 4 ? 0 : 4); });
}

TEST_CASE("looks go into one softmax") {
  const Groups before(T, {{4, 3, 2}, {1, 0, -1}}, {{2, 1, 0, 3}, {0, -1, 1, 3}}, [](Size i, Size j) { return j < i; });
  const Groups last(T, {{0, 1, 2, 3, 4}}, {{4}}, all);
  check_pattern(Grouped{{before, last}, true}, T, false, [](Size i, Size j) { return j < i || j == 4; });
}
