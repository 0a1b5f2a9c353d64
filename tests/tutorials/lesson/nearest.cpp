#include "tutorials/lesson/nearest.hpp"

#include <doctest/doctest.h>

using namespace attend::lesson;

TEST_CASE("the edit distance counts inserts, deletes, replacements and swaps") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("softmax", "sotfmax") == 1);
}

TEST_CASE("the nearest name is suggested only where one is near") {
  CHECK(nearest_name("no-sofmax", {"no-mask", "no-softmax"}) == "no-softmax");
  CHECK(nearest_name("xyz", {"no-mask", "no-softmax"}).empty());
  CHECK(nearest_name("a", {}).empty());
}

TEST_CASE("an unknown name is answered with the nearest and with all there are") {
  CHECK(unknown_name("break", "no-sofmax", {"no-softmax", "no-mask"}) ==
        "no break 'no-sofmax'; did you mean 'no-softmax'? There are: no-softmax, no-mask");
  CHECK(unknown_name("break", "q", {"no-mask"}) == "no break 'q'; there are: no-mask");
  CHECK(unknown_name("break", "q", {}) == "no break 'q'; there is none");
}
