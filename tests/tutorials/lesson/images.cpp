#include "tutorials/lesson/images.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/errors.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace lesson_test;

namespace {

/// Big-endian sizes behind the four bytes that say "unsigned bytes, so many axes".
std::string idx(const std::vector<int>& sizes, const std::string& elements) {
  std::string file = {'\0', '\0', '\x08', static_cast<char>(sizes.size())};
  for (int size : sizes) file += {'\0', '\0', static_cast<char>(size / 256), static_cast<char>(size % 256)};
  return file + elements;
}

/// The message for a pair of files of these contents, without the folder.
std::string complaint(const std::string& pixels, const std::string& labels) {
  const Folder folder;
  const std::string p = folder.write("pixels", pixels), l = folder.write("labels", labels);
  const std::string text = thrown<DataError>([&] { read_idx(p, l, 16); });
  return text.empty() ? "" : text.substr(text.rfind('/') + 1);
}

const std::string two_images = idx({2, 1, 3}, {'\0', '\x10', '\x08', '\x04', '\0', '\0'});
const std::string two_labels = idx({2}, {'\x07', '\x03'});

}  // namespace

TEST_CASE("an IDX file becomes images between 0 and 1, row by row, with their labels") {
  const Folder folder;
  const Images images = read_idx(folder.write("pixels", two_images), folder.write("labels", two_labels), 16);
  CHECK(images.pixels.shape() == Shape{2, 1, 1, 3});
  CHECK(images.pixels.to_vector() == std::vector<double>{0, 1, 0.5, 0.25, 0, 0});
  CHECK(images.labels.to_ints() == std::vector<std::int64_t>{7, 3});
}

TEST_CASE("images are selected together with their labels") {
  const Folder folder;
  const Images images = read_idx(folder.write("pixels", two_images), folder.write("labels", two_labels), 16);
  const Images turned = images.select({1, 0, 1});
  CHECK(turned.size() == 3);
  CHECK(turned.pixels.shape() == Shape{3, 1, 1, 3});
  CHECK(turned.pixels.at({0, 0, 0, 0}) == 0.25);
  CHECK(turned.labels.to_ints() == std::vector<std::int64_t>{3, 7, 3});
  CHECK_THROWS_AS(images.select({2}), std::invalid_argument);
}

TEST_CASE("bad image files are answered with what is wrong") {
  CHECK(complaint("", two_labels) == "pixels: is no IDX file of bytes with 3 axes");
  CHECK(complaint(two_labels, two_labels) == "pixels: is no IDX file of bytes with 3 axes");
  CHECK(complaint(two_images.substr(0, 9), two_labels) == "pixels: is cut short: it ends in the header");
  CHECK(complaint(two_images.substr(0, 20), two_labels) == "pixels: the header says [2, 1, 3], but 4 bytes follow");
  CHECK(complaint(two_images + "x", two_labels) == "pixels: the header says [2, 1, 3], but 7 bytes follow");
  CHECK(complaint(two_images, idx({1}, "a")) == "labels: 1 labels for 2 images");
  CHECK(complaint(idx({1, 1, 1}, "\x11"), idx({1}, "a")) == "pixels: a pixel is above 16");
}

TEST_CASE("the data sets have the sizes and classes of their data sheets") {
  const Images digits = digits8x8();
  CHECK(digits.pixels.shape() == Shape{1797, 1, 8, 8});
  const Images training = fashion14_training(), test = fashion14_test();
  CHECK(training.pixels.shape() == Shape{5000, 1, 14, 14});
  CHECK(test.pixels.shape() == Shape{1000, 1, 14, 14});
  for (const Images& images : {digits, training, test}) {
    const auto labels = images.labels.to_ints();
    CHECK(*std::min_element(labels.begin(), labels.end()) == 0);
    CHECK(*std::max_element(labels.begin(), labels.end()) == 9);
    const auto pixels = images.pixels.to_vector();
    CHECK(*std::min_element(pixels.begin(), pixels.end()) == 0);
    CHECK(*std::max_element(pixels.begin(), pixels.end()) > 0.99);
  }
}
