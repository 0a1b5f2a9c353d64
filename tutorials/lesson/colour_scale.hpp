#pragma once

#include <string>

#include "tutorials/lesson/terminal.hpp"

/// How a number between 0 and 1 looks in a terminal.

namespace attend::lesson {

/// A colour, each part 0 to 255.
struct Rgb {
  int red, green, blue;
};

/// The colour of `level` (0 to 1, clamped): the viridis scale, from dark violet over green to yellow. Its lightness
/// rises evenly, so it can be read by the colour-blind and in grey.
Rgb scale_colour(double level);

/// The entry of the 256-colour palette for `level`: the one of the same walk through the colours that is
/// as light.
int scale_palette(double level);

/// The colour of an entry of the 6 × 6 × 6 cube (16 to 231) of the 256-colour palette.
Rgb palette_colour(int index);

/// The colour as pages and pictures write it: "#21918c".
std::string hex(const Rgb& colour);

/// Whether black text can be read on this colour better than white.
bool needs_black_text(const Rgb& background);

/// Relative luminance as WCAG defines it: 0 for black, 1 for white.
double luminance(const Rgb& colour);

/// The escape sequence that paints the background with `level` and the text on it black or white, whichever is
/// readable; empty where the screen has no colours.
std::string paint(double level, Colour colour);

/// Ends what `paint` began; empty where the screen has no colours.
std::string unpaint(Colour colour);

/// The character that shades a cell by `level` where there are no colours: more ink is more.
std::string shade(double level, bool unicode);

}  // namespace attend::lesson
