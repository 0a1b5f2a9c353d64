#include "tutorials/lesson/show.hpp"

#include <doctest/doctest.h>

#include "tests/tutorials/lesson/report/kept.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

HeatMap map_of(const std::string& title, double first) {
  return {Matrix(1, 2, {first, 1 - first}), {"q"}, {"a", "b"}, title};
}

}  // namespace

TEST_CASE("heads are drawn one below the other, and are one figure of the report") {
  Kept kept;
  show_heads("Two heads", {map_of("head 1", 0.25), map_of("head 2", 0.75)}, kept.paper.screen);
  CHECK(occurrences(kept.paper.str(), "scale: ") == 2);
  CHECK(occurrences(kept.page(), "<figure class=\"maps\" data-kind=\"heads\"") == 1);
  CHECK(occurrences(kept.page(), "<figure") == 1);
  CHECK(kept.page().find("\"labels\":[\"head 1\",\"head 2\"]") != std::string::npos);
}

TEST_CASE("of a training the terminal shows the last moment, and the report all") {
  Kept kept;
  show_over_training("Learning", {{0, map_of("at first", 0.5)}, {50, map_of("in the end", 1)}}, kept.paper.screen);
  CHECK(kept.paper.str().find("in the end") != std::string::npos);
  CHECK(kept.paper.str().find("at first") == std::string::npos);
  CHECK(kept.page().find("\"labels\":[\"step 0\",\"step 50\"]") != std::string::npos);
}

TEST_CASE("rows of overlays are for the report alone, all of them in one picture") {
  Kept kept;
  const Overlay image = plain_image(Matrix(1, 1, {1}), "dot");
  show_overlay("Where it looks", {{image}, {image, image}}, kept.paper.screen);
  CHECK(kept.paper.str().empty());
  CHECK(occurrences(kept.page(), "<svg ") == 1);
  CHECK(occurrences(kept.page(), "<li>dot: the image alone</li>") == 3);
}

TEST_CASE("a graph is told in the terminal and drawn in the report") {
  Kept kept;
  show_graph({"Who", {"a", "b"}, {{0, 1, 1}}}, kept.paper.screen);
  CHECK(kept.paper.str() == "Who: 'a' looks at 'b' (1.00)\n");
  CHECK(occurrences(kept.page(), "<figure class=\"graph\"") == 1);
  CHECK(kept.page().find("{\"from\":0,\"to\":1,\"weight\":1.0}") != std::string::npos);
  CHECK(occurrences(kept.page(), "<p>Who") == 0);
}

TEST_CASE("nothing is shown of no heads, no moments and no rows") {
  Kept kept;
  show_heads("", {}, kept.paper.screen);
  show_over_training("", {}, kept.paper.screen);
  show_overlay("", {}, kept.paper.screen);
  CHECK(kept.paper.str().empty());
  CHECK(occurrences(kept.page(), "<figure") == 0);
}
