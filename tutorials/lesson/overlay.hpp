#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/matrix.hpp"
#include "tutorials/lesson/terminal.hpp"

/// Weights over an image: where on the picture does a model look?

namespace attend::lesson {

/// A grey image and one weight for each of its patches.
struct Overlay {
  Matrix image;            ///< 0 is the background and 1 full ink
  Matrix weights;          ///< not negative; its rows and columns divide those of the image. 0 × 0: the image alone
  std::string title = "";  ///< a few words
};

/// An image without weights.
Overlay plain_image(const Matrix& image, const std::string& title = "");

/// The panels side by side, as many as the screen is wide, the rest below; lines ended by '\n'. With colours, weights
/// are the background and ink the characters on it. Without, a panel shows its weights as shades, pixel for pixel, so
/// that it can be laid beside its image. In each panel the largest weight has the strongest shade; it is printed below.
/// Throws std::invalid_argument when the weights do not divide an image, or one is negative or no number.
std::string render(const std::vector<Overlay>& panels, const Screen& screen);

/// Prints the panels.
void draw(const std::vector<Overlay>& panels, const Screen& screen = standard_screen());

/// A panel in words, for those who cannot see it: "head 1: most at rows 2-3, columns 4-5 (0.31); half of the whole on 3
/// of 16 patches". Rows and columns are pixels and count from 0.
std::string in_words(const Overlay& panel);

/// Rows of panels as an SVG picture: the grey image, and over it the weights as a colour that hides more of it the
/// larger the weight. Its description says each panel in words. Throws as `render` does.
std::string svg(const std::vector<std::vector<Overlay>>& rows, const std::string& title);

/// Writes the picture to a file, whole or not at all. Throws std::runtime_error when it cannot be written.
void write_svg(const std::vector<std::vector<Overlay>>& rows, const std::string& title, const std::string& path);

}  // namespace attend::lesson
