// The numbers that the page of chapter 14 works out on paper.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/14_hashing/rounds.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter14;
using namespace attend::test;
using lesson::fixed;

namespace {

const OnPage on_page("14_hashing");

std::string row_of(const Buckets& buckets) {
  std::string row;
  for (const std::int64_t bucket : buckets) row += " " + std::to_string(bucket) + " |";
  return row;
}

double of_query_2(Together together) {
  const OnPaper example = on_paper();
  return LshByDefinition{example.lsh, together}(example.q, example.q, example.v).context.value().at({0, 0, 2, 0});
}

}  // namespace

TEST_CASE("the page shows the buckets of both rounds, and the chunks that they make") {
  const OnPaper example = on_paper();
  const Tensor queries = reshape(example.q.value(), {6, 2});
  CHECK(on_page("| bucket, round 1 |" + row_of(buckets_in_round(queries, example.lsh, 0))));
  CHECK(on_page("| bucket, round 2 |" + row_of(buckets_in_round(queries, example.lsh, 1))));
  CHECK(sorted_by_bucket(buckets_in_round(queries, example.lsh, 0)) == std::vector<Size>{0, 2, 3, 1, 5, 4});
  CHECK(on_page("0 2 · 3 1 · 5 4"));
  CHECK(sorted_by_bucket(buckets_in_round(queries, example.lsh, 1)) == std::vector<Size>{0, 3, 2, 1, 5, 4});
  CHECK(on_page("0 3 · 2 1 · 5 4"));
}

TEST_CASE("the page shows the scores of query 2 and what it gets") {
  const auto score = [](double degrees) { return 2 * std::cos(degrees * std::acos(-1.0) / 180); };
  for (const double degrees : {60, 100, 50}) {
    CHECK(on_page(fixed(score(degrees), 3)));
    CHECK(on_page(fixed(std::exp(score(degrees)), 3)));
  }
  for (const Together together : {Together::once, Together::twice, Together::averaged}) {
    CHECK(on_page(fixed(of_query_2(together), 2)));
  }
  const OnPaper example = on_paper();
  check_agree(example.lsh(example.q, example.q, example.v).context,
              LshByDefinition{example.lsh}(example.q, example.q, example.v).context, 1e-14);
}
