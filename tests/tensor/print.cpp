#include "tensor/print.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "tensor/random.hpp"

using namespace attend;

namespace {

// The longest line, in characters.
std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

}  // namespace

TEST_CASE("a matrix is printed below its dtype and shape, with negative numbers, nan and inf in columns") {
  const Tensor x = Tensor::from({0.5, -1.25, NAN, 2, 0, INFINITY}, {2, 3});
  CHECK(to_string(x) ==
        "float32 [2, 3]\n"
        "[[ 0.50, -1.25,   nan],\n"
        " [ 2.00,  0.00,   inf]]");
}

TEST_CASE("a scalar, a tensor without elements, one without numbers and no tensor at all are told apart") {
  CHECK(to_string(Tensor::from({0.5}, {}, DType::float64)) == "float64 []\n0.5");
  CHECK(to_string(Tensor::zeros({0, 3})) == "float32 [0, 3], no elements");
  CHECK(to_string(Tensor::ones({2}).without_data()) == "float32 [2], numbers not kept");
  CHECK(to_string(Tensor()) == "no tensor");
}

TEST_CASE("whole numbers of a floating type show one digit behind the point, int64 none, and bool is a word") {
  CHECK(to_string(Tensor::from({1, 20, -3}, {3})) == "float32 [3]\n[ 1.0, 20.0, -3.0]");
  CHECK(to_string(Tensor::from_ints({7, INT64_MIN, INT64_MAX}, {3})) ==
        "int64 [3]\n[                   7, -9223372036854775808,  9223372036854775807]");
  CHECK(to_string(Tensor::from_bools({true, false}, {2})) == "bool [2]\n[ true, false]");
}

TEST_CASE("small numbers share a power of ten, and numbers far apart have one each") {
  CHECK(to_string(Tensor::from({2e-7, 3e-6, -INFINITY}, {3})) == "float32 [3], times 1e-06\n[ 0.2,  3.0, -inf]");
  CHECK(to_string(Tensor::from({123456, 100000}, {2})) == "float32 [2], times 1e+05\n[1.2346, 1.0000]");
  CHECK(to_string(Tensor::from({1, 2e-7}, {2}, DType::float64)) == "float64 [2]\n[1.0000e+00, 2.0000e-07]");
  CHECK(to_string(Tensor::from({5e-324}, {}, DType::float64)) == "float64 []\n4.9407e-324");
}

TEST_CASE("a number that is not zero never looks like zero") {
  Rng rng(3);
  for (int exponent = -12; exponent < 8; ++exponent) {
    const Tensor x = rng.uniform({4}, 0.1, 1, DType::float64);
    std::vector<double> values = x.to_vector();
    for (double& value : values) value *= std::pow(10.0, exponent);
    values.push_back(1);
    std::string text = to_string(Tensor::from(values, {5}, DType::float64));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
    std::istringstream words(text.substr(text.find('\n') + 1));
    for (double value; words >> value;) CHECK(value != 0);
  }
}

TEST_CASE("matrices of a stack are set apart by an empty line") {
  CHECK(to_string(Tensor::from_ints({1, 2, 3, 4}, {2, 1, 2})) == "int64 [2, 1, 2]\n[[[1, 2]],\n\n [[3, 4]]]");
}

TEST_CASE("a large tensor shows its ends") {
  PrintOptions options;
  options.edge = 1;
  CHECK(to_string(reshape(Tensor::arange(300), {20, 15}), options) ==
        "int64 [20, 15]\n"
        "[[  0, ...,  14],\n"
        " ...,\n"
        " [285, ..., 299]]");
  options.most_elements = 10;
  options.edge = 2;
  CHECK(to_string(Tensor::arange(12), options) == "int64 [12]\n[ 0,  1, ..., 10, 11]");
}

TEST_CASE("an axis is not elided to hide a single element") {
  PrintOptions options;
  options.most_elements = 1;
  options.edge = 1;
  CHECK(to_string(Tensor::arange(3), options) == "int64 [3]\n[0, 1, 2]");
}

TEST_CASE("a row that is too long goes on below, and no line is wider than 80 columns") {
  CHECK(to_string(Tensor::arange(24)) ==
        "int64 [24]\n"
        "[ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17, 18,\n"
        " 19, 20, 21, 22, 23]");
  Rng rng(1);
  const Shape shapes[] = {{199}, {9, 21}, {3, 2, 1, 30}, {1, 1, 1, 1, 1, 1, 1, 190}, {50, 60, 70}, {1000}, {1, 1000}};
  for (const Shape& shape : shapes) {
    for (double scale : {1.0, 1e-9, 1e9}) {
      CHECK(widest_line(to_string(rng.normal(shape, 0, scale))) <= 80);
      CHECK(widest_line(to_string(rng.normal(shape, scale, 1e-3, DType::float64))) <= 80);
    }
    CHECK(widest_line(to_string(rng.bernoulli(shape, 0.5))) <= 80);
  }
}

TEST_CASE("a view prints what it shows, not what its memory holds") {
  const Tensor x = Tensor::from_ints({1, 2, 3, 4, 5, 6}, {2, 3});
  CHECK(to_string(transpose(x)) == "int64 [3, 2]\n[[1, 4],\n [2, 5],\n [3, 6]]");
  CHECK(to_string(flip(slice(x, 1, 0, 2), {1})) == "int64 [2, 2]\n[[2, 1],\n [5, 4]]");
  CHECK(to_string(broadcast_to(Tensor::from_ints({7}, {}), {2})) == "int64 [2]\n[7, 7]");
}

TEST_CASE("a note stands on the first line, and a stream prints the same text") {
  PrintOptions options;
  options.note = "weights";
  CHECK(to_string(Tensor::ones({1}), options) == "float32 [1], weights\n[1.0]");
  std::ostringstream out;
  out << Tensor::ones({1});
  CHECK(out.str() == "float32 [1]\n[1.0]");
}

TEST_CASE("options that make no sense are refused") {
  for (int bad = 0; bad < 4; ++bad) {
    PrintOptions options;
    if (bad == 0) options.precision = 0;
    if (bad == 1) options.precision = 18;
    if (bad == 2) options.edge = 0;
    if (bad == 3) options.width = 39;
    CHECK_THROWS_AS(to_string(Tensor::ones({1}), options), std::invalid_argument);
  }
}
