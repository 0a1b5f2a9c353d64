// The check of exercise 1: shape, tiny numbers, widths even and odd, properties.
#include <cmath>
#include <functional>

#include "autograd/ops.hpp"
#include "nn/position/sinusoidal.hpp"
#include "tutorials/07_positions/exercise_1_sinusoids.hpp"
#include "tutorials/07_positions/geometry.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter07;
using namespace attend::lesson;

namespace {

constexpr Size T = 7, even_width = 6, odd_width = 5;

// The table of the library, which tests compare with the paper's formula.
Tensor expected(Size width) { return sinusoidal_positions(T, width, 0, 10000, DType::float64); }

// ---- the usual mistakes -------------------------------------------------------------------------------------------

double number(Size n) { return static_cast<double>(n); }
double frequency(Size i, Size width) { return std::pow(10000, -2 * number(i) / number(width)); }
double sine_or_cosine(Size c, double angle) { return c % 2 == 0 ? std::sin(angle) : std::cos(angle); }

struct Suspect {
  std::function<double(Size p, Size c, Size width)> value;
  std::string bug;
};

std::vector<Suspect> suspects() {
  return {
      {[](Size, Size, Size) { return 0.0; }, "the hole is not filled: every value is 0."},
      {[](Size p, Size c, Size w) {
         const Size sines = (w + 1) / 2;
         return c < sines ? std::sin(number(p) * frequency(c, w)) : std::cos(number(p) * frequency(c - sines, w));
       },
       "all sines stand in the first half and all cosines in the second. Many programs do so; the paper has them "
       "side by side, and a model that was trained with one cannot be used with the other."},
      {[](Size p, Size c, Size w) { return sine_or_cosine(c, number(p) * std::pow(10000, -number(c) / number(w))); },
       "a cosine has another frequency than its sine: the exponent goes with c, and must be the same for both of a "
       "pair. No matrix can then shift a position."},
      {[](Size p, Size c, Size w) {
         return sine_or_cosine(c, number(p) * std::pow(10000, -number(c / 2) / number(w)));
       },
       "the exponent is −i / width; it is −2i / width. The slowest frequencies are missing."},
      {[](Size p, Size c, Size) { return sine_or_cosine(c, number(p)); },
       "the exponent is always 0, so that all pairs have one frequency. Of two whole numbers, 2 / 6 is 0."},
      {[](Size p, Size c, Size w) { return sine_or_cosine(c + 1, number(p) * frequency(c / 2, w)); },
       "sine and cosine have changed places: even columns are sines."},
      {[](Size p, Size c, Size w) { return sine_or_cosine(c, number(p + 1) * frequency(c / 2, w)); },
       "the first position begins with 1; it is position 0, a row of 0, 1, 0, 1, ..."},
      {[](Size p, Size c, Size w) { return sine_or_cosine(c, number(p) / frequency(c / 2, w)); },
       "the frequencies grow with i; they are to fall. A minus is missing in the exponent."},
      {[](Size p, Size c, Size w) { return sine_or_cosine(c, number(p)) * frequency(c / 2, w); },
       "the factor stands outside of the sine, where it makes a wave lower; inside it makes it longer."},
  };
}

std::vector<Suspect> suspects_of_odd_widths() {
  return {
      {[](Size p, Size c, Size w) { return c == w - 1 ? 0 : sine_or_cosine(c, number(p) * frequency(c / 2, w)); },
       "the last number of an odd width is 0. It is a sine that has no partner."},
      {[](Size p, Size c, Size w) { return sine_or_cosine(c, number(p) * frequency(c / 2, w + 1)); },
       "an odd width is rounded up before the exponent is made."},
      {[](Size p, Size c, Size w) { return sine_or_cosine(c, number(p) * frequency(c / 2, w - 1)); },
       "an odd width is rounded down before the exponent is made."},
  };
}

Tensor filled(Size width, const Suspect& suspect) {
  std::vector<double> values;
  for (Size p = 0; p < T; ++p) {
    for (Size c = 0; c < width; ++c) values.push_back(suspect.value(p, c, width));
  }
  return Tensor::from(values, {T, width}, DType::float64);
}

std::string likely_bug(const Tensor& given, const std::vector<Suspect>& list) {
  const Size width = given.shape().back();
  for (const Suspect& suspect : list) {
    if (close(given, filled(width, suspect))) return suspect.bug;
  }
  return "none of the usual ones. Compare the second row, p = 1, column by column.";
}

std::string row_of(const Tensor& table, Size p) { return listed(select(Var(table), 0, p).value()); }

std::string second_rows(const Tensor& given, const Tensor& wanted) {
  return "\nexpected: " + row_of(wanted, 1) + "\nyours:    " + row_of(given, 1);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const SinusoidAnswer& answer, Steps& steps) {
  const Tensor given = answer.positions(T, even_width);
  if (given.shape() != Shape{T, even_width}) {
    throw Mistake("Seven positions of width 6\nexpected: [7, 6]\nyours:    " + text(given.shape()),
                  "there is a row for each position and a column for each number.");
  }
  steps.passed("shape: [7, 6]");
}

void check_numbers(const SinusoidAnswer& answer, Steps& steps) {
  const Tensor given = answer.positions(T, even_width), wanted = expected(even_width);
  if (!close(given, wanted)) {
    throw Mistake("Position 1 of width 6:" + second_rows(given, wanted), likely_bug(given, suspects()));
  }
  steps.passed("width 6, position 1: " + row_of(given, 1));
}

void check_odd_width(const SinusoidAnswer& answer, Steps& steps) {
  const Tensor given = answer.positions(T, odd_width), wanted = expected(odd_width);
  if (!close(given, wanted)) {
    throw Mistake("Width 6 is right. Position 1 of width 5:" + second_rows(given, wanted),
                  likely_bug(given, suspects_of_odd_widths()));
  }
  steps.passed("width 5, position 1: " + row_of(given, 1));
}

void check_properties(const SinusoidAnswer& answer, Steps& steps) {
  constexpr Size n = 40, width = 16, k = 9;
  const Var all(answer.positions(n + k, width));
  const Var shifted = matmul(slice(all, 0, 0, n), transpose(Var(shift_map(k, width))));
  const double residual = lesson::largest_difference(shifted.value(), slice(all, 0, k, n).value());
  if (!(residual < 1e-12)) {
    throw Mistake("P(p + 9) differs from R(9) P(p) by " + significant(residual, 2) + ".",
                  likely_bug(answer.positions(T, even_width), suspects()));
  }
  steps.passed("one matrix shifts every position by 9: difference " + significant(residual, 1));
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/07_positions/exercise_1_sinusoids.cpp", sinusoid_answers(),
                       {check_shape, check_numbers, check_odd_width, check_properties});
}
