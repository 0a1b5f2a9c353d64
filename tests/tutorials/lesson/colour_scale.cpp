#include "tutorials/lesson/colour_scale.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace attend::lesson;

namespace {

/// Contrast of a background with the better of black and white text, as WCAG defines it.
double best_contrast(const Rgb& background) {
  const double light = luminance(background);
  return std::max((light + 0.05) / 0.05, 1.05 / (light + 0.05));
}

}  // namespace

TEST_CASE("the scale gets lighter from its low to its high end, in both palettes") {
  for (int i = 1; i <= 100; ++i) {
    CHECK(luminance(scale_colour(i / 100.0)) > luminance(scale_colour((i - 1) / 100.0)));
    CHECK(luminance(palette_colour(scale_palette(i / 100.0))) >=
          luminance(palette_colour(scale_palette((i - 1) / 100.0))));
  }
}

TEST_CASE("both palettes are about equally light, so a map looks alike in both") {
  for (int i = 0; i <= 100; ++i) {
    const double level = i / 100.0;
    CHECK(std::abs(luminance(scale_colour(level)) - luminance(palette_colour(scale_palette(level)))) < 0.16);
  }
}

TEST_CASE("the text on every colour of the scale is readable") {
  for (int i = 0; i <= 100; ++i) {
    CHECK(best_contrast(scale_colour(i / 100.0)) > 4.5);
    CHECK(best_contrast(palette_colour(scale_palette(i / 100.0))) > 4.5);
  }
  CHECK(paint(0, Colour::true_colour) == "\x1b[48;2;68;1;84;38;2;255;255;255m");
  CHECK(paint(1, Colour::true_colour) == "\x1b[48;2;253;231;37;38;2;0;0;0m");
  CHECK(paint(0, Colour::palette_256) == "\x1b[48;5;53;38;5;231m");
  CHECK(paint(0.5, Colour::none).empty());
}

TEST_CASE("shades have more ink for more weight and clamp what is outside") {
  CHECK(shade(0, true) == " ");
  CHECK(shade(1, true) == "█");
  CHECK(shade(2, true) == "█");
  CHECK(shade(-1, false) == " ");
  CHECK(shade(1, false) == "@");
}
