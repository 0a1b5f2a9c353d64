#include "tutorials/lesson/colour_scale.hpp"

#include <algorithm>
#include <cmath>

#include "tutorials/lesson/format.hpp"

namespace attend::lesson {
namespace {

// The viridis colour map of matplotlib (CC0) at nine even steps.
constexpr Rgb viridis[] = {{68, 1, 84},    {71, 44, 122}, {59, 81, 139},  {44, 113, 142}, {33, 144, 141},
                           {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}};
constexpr int viridis_steps = 8;

// The same walk through the fixed 6 × 6 × 6 cube of the 256-colour palette: the entries nearest to viridis, without
// those that would step back in lightness.
constexpr int palette[] = {53, 54, 24, 30, 36, 72, 77, 113, 149, 184, 220, 227};

constexpr const char* blocks[] = {" ", "·", "░", "▒", "▓", "█"};
constexpr const char* ascii_ink[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};

template <class Item, std::size_t N>
const Item& at_level(const Item (&items)[N], double level) {
  const auto index = static_cast<Size>(std::lround(std::clamp(level, 0.0, 1.0) * static_cast<double>(N - 1)));
  return items[index];
}

}  // namespace

double luminance(const Rgb& colour) {
  const auto linear = [](int part) {
    const double s = part / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

Rgb scale_colour(double level) {
  const double position = std::clamp(level, 0.0, 1.0) * viridis_steps;
  const int left = std::min(static_cast<int>(position), viridis_steps - 1);
  const double share = position - left;
  const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
  const Rgb& a = viridis[left];
  const Rgb& b = viridis[left + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

std::string hex(const Rgb& colour) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "#";
  for (const int part : {colour.red, colour.green, colour.blue}) {
    text += digits[part / 16];
    text += digits[part % 16];
  }
  return text;
}

// 0.18 is where black and white contrast equally.
bool needs_black_text(const Rgb& background) { return luminance(background) > 0.18; }

int scale_palette(double level) {
  const double wanted = luminance(scale_colour(level));
  const auto miss = [&](int index) { return std::abs(luminance(palette_colour(index)) - wanted); };
  return *std::min_element(std::begin(palette), std::end(palette), [&](int a, int b) { return miss(a) < miss(b); });
}

Rgb palette_colour(int index) {
  constexpr int parts[] = {0, 95, 135, 175, 215, 255};
  const int cell = std::clamp(index, 16, 231) - 16;
  return {parts[cell / 36], parts[cell / 6 % 6], parts[cell % 6]};
}

std::string paint(double level, Colour colour) {
  if (colour == Colour::none) return "";
  if (colour == Colour::palette_256) {
    const int index = scale_palette(level);
    const bool black = needs_black_text(palette_colour(index));
    return fill("\x1b[48;5;{};38;5;{}m", {std::to_string(index), black ? "16" : "231"});
  }
  const Rgb c = scale_colour(level);
  return fill("\x1b[48;2;{};{};{};38;2;{}m", {std::to_string(c.red), std::to_string(c.green), std::to_string(c.blue),
                                              needs_black_text(c) ? "0;0;0" : "255;255;255"});
}

std::string unpaint(Colour colour) { return colour == Colour::none ? "" : "\x1b[0m"; }

std::string shade(double level, bool unicode) { return unicode ? at_level(blocks, level) : at_level(ascii_ink, level); }

}  // namespace attend::lesson
