#include "tutorials/lesson/overlay.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend::lesson;
using namespace lesson_test;
using attend::Size;

namespace {

// A stroke down the left half, and most of the weight on the upper right patch.
const Matrix stroke(4, 4, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
const Overlay looked{stroke, Matrix(2, 2, {0.1, 0.6, 0.3, 0}), "head <1>"};

}  // namespace

TEST_CASE("without colours an image is its ink and a panel its weights, pixel for pixel") {
  CHECK(render({plain_image(stroke, "image"), looked}, plain()) ==
        " image      head <1>\n"
        "│██      │ │····████│\n"
        "│██      │ │····████│\n"
        "│██      │ │▒▒▒▒    │\n"
        "│██      │ │▒▒▒▒    │\n"
        "            max 0.60\n");
}

TEST_CASE("with colours the ink stands on the colour of the weight") {
  const std::string text = render({looked}, coloured(Colour::true_colour));
  CHECK(occurrences(text, "48;2;253;231;37") == 4);  // the four pixels of the patch with the largest weight
  CHECK(occurrences(text, "██") == 4);               // and the four of the stroke
  CHECK(without_colours(text).find("│██      │") != std::string::npos);
}

TEST_CASE("panels that do not fit beside the others stand below, and no line is wider than the screen") {
  Screen narrow = plain();
  narrow.width = 40;
  const std::vector<Overlay> five(5, looked);
  const auto lines = lines_of(render(five, narrow));
  CHECK(lines.size() == 12);
  CHECK(std::count(lines.begin(), lines.end(), " head <1>   head <1>   head <1>") == 1);
  for (const std::string& line : lines) CHECK(columns(line) <= 40);
}

TEST_CASE("a title that is longer than its panel is cut") {
  const Overlay wordy{stroke, looked.weights, "the mean over all heads"};
  CHECK(lines_of(render({wordy}, plain())).front() == " the mea…");
}

TEST_CASE("in words: where the largest weight is, and on how many patches half of the whole lies") {
  CHECK(in_words(looked) == "head <1>: most at rows 0-1, columns 2-3 (0.60); half of the whole on 1 of 4 patches");
  const Overlay even{stroke, Matrix(4, 4, std::vector<double>(16, 1.0 / 16)), ""};
  CHECK(in_words(even) == "most at rows 0, columns 0 (0.06); half of the whole on 8 of 16 patches");
  CHECK(in_words(plain_image(stroke, "a one")) == "a one: the image alone");
}

TEST_CASE("the picture has the grey pixels first and the patches over them, the more opaque the larger their weight") {
  const std::string picture = svg({{plain_image(stroke, "image"), looked}}, "a & b");
  CHECK(occurrences(picture, "<rect ") ==
        1 + 2 * (1 + 4) + 3);  // nothing is drawn for the background and a weight of 0
  CHECK(picture.find("fill-opacity=\"0.750\"") != std::string::npos);
  CHECK(picture.find("fill-opacity=\"0.125\"") != std::string::npos);
  CHECK(picture.rfind("fill=\"rgb(") < picture.find("fill-opacity"));
  CHECK(picture.find("head &lt;1&gt;: most at rows 0-1, columns 2-3 (0.60)") != std::string::npos);
  CHECK(picture.find("a &amp; b") != std::string::npos);
  CHECK(picture.find("<1>") == std::string::npos);
}

TEST_CASE("a picture is written to its file") {
  const Folder folder;
  write_svg({{looked}}, "title", folder.path("a.svg"));
  CHECK(read_back(folder.path("a.svg")) == svg({{looked}}, "title"));
}

TEST_CASE("weights that do not divide the image, negative ones and NaN are refused") {
  const auto complaint = [](const Matrix& weights) {
    return thrown<std::invalid_argument>([&] { render({Overlay{stroke, weights}}, plain()); });
  };
  CHECK(complaint(Matrix(3, 2, std::vector<double>(6, 0))) ==
        "Overlay: weights of 3 x 2 do not divide an image of 4 x 4");
  CHECK(complaint(Matrix(1, 1, {-0.5})) == "Overlay: a weight of -0.5");
  CHECK(complaint(Matrix(1, 1, {std::nan("")})) == "Overlay: a weight of nan");
  CHECK(thrown<std::invalid_argument>([] { in_words(plain_image(Matrix(0, 0, {}))); }) ==
        "Overlay: an image without pixels");
}

TEST_CASE("weights that are all 0 have no shade") {
  const Overlay nothing{stroke, Matrix(2, 2, {0, 0, 0, 0}), ""};
  CHECK(render({nothing}, plain()).find("█") == std::string::npos);
}
