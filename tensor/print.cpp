#include "tensor/print.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "tensor/inner/dispatch.hpp"

namespace attend {
namespace {

// Along each axis the indices that are shown; a gap in them is an ellipsis.
using Shown = std::vector<std::vector<Size>>;

Shown shown_indices(const Tensor& x, const PrintOptions& options) {
  Shown shown;
  for (Size size : x.shape()) {
    std::vector<Size> indices;
    const bool elided = x.size() > options.most_elements && size > 2 * options.edge + 1;
    for (Size i = 0; i < size; ++i) {
      if (elided && i == options.edge) i = size - options.edge;
      indices.push_back(i);
    }
    shown.push_back(indices);
  }
  return shown;
}

// The shown elements in row-major order, read through the strides: a view is not copied to be printed.
template <class T>
void read(const Tensor& x, const Shown& shown, Size axis, Size offset, std::vector<T>& values) {
  if (axis == x.rank()) {
    values.push_back(x.data<T>()[offset]);
    return;
  }
  for (Size i : shown[static_cast<std::size_t>(axis)]) read(x, shown, axis + 1, offset + i * x.strides()[axis], values);
}

std::string formatted(const char* format, int digits, double value) {
  if (std::isnan(value)) return "nan";  // printf may give it a sign
  char buffer[400];                     // the largest double has 309 digits before the point
  std::snprintf(buffer, sizeof buffer, format, digits, value);
  return buffer;
}

// How all numbers of one tensor are written: value / scale in `format`.
struct NumberFormat {
  const char* format = "%.*f";
  int digits = 1;
  int exponent = 0;  // of the common power of ten
};

// The digits behind the point that the value needs, when it is rounded to at most `precision` of them.
int digits_needed(double value, int precision) {
  const std::string full = formatted("%.*f", precision, value);
  const std::size_t last = full.find_last_not_of('0');
  return static_cast<int>(last - full.find('.'));
}

NumberFormat choose_format(const std::vector<double>& values, int precision) {
  double largest = 0, smallest = INFINITY;
  for (double value : values) {
    if (!std::isfinite(value) || value == 0) continue;
    largest = std::max(largest, std::fabs(value));
    smallest = std::min(smallest, std::fabs(value));
  }
  NumberFormat chosen;
  const double last_digit = std::pow(10.0, -precision);
  const bool plain = largest == 0 || (largest < 1e5 && smallest >= last_digit);
  if (!plain) {
    if (smallest < largest * last_digit || smallest < 1e-300) return {"%.*e", precision, 0};
    chosen.exponent = static_cast<int>(std::floor(std::log10(largest)));
  }
  for (double value : values) {
    if (!std::isfinite(value)) continue;
    chosen.digits = std::max(chosen.digits, digits_needed(value / std::pow(10.0, chosen.exponent), precision));
  }
  return chosen;
}

// The shown elements as text, and the power of ten they are to be multiplied with.
struct Cells {
  std::vector<std::string> texts;
  int exponent = 0;
};

Cells cells_of(const Tensor& x, const Shown& shown, int precision) {
  return by_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values;
    read(x, shown, 0, 0, values);
    Cells cells;
    if constexpr (std::is_same_v<T, bool>) {
      for (bool value : values) cells.texts.push_back(value ? "true" : "false");
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      for (std::int64_t value : values) cells.texts.push_back(std::to_string(value));
    } else {
      const std::vector<double> numbers(values.begin(), values.end());
      const NumberFormat format = choose_format(numbers, precision);
      const double scale = std::pow(10.0, format.exponent);
      for (double number : numbers) cells.texts.push_back(formatted(format.format, format.digits, number / scale));
      cells.exponent = format.exponent;
    }
    return cells;
  });
}

// Writes the brackets, with the cells padded to one width.
class Writer {
 public:
  Writer(const Shown& shown, const std::vector<std::string>& cells, Size width)
      : shown_(shown), cells_(cells), width_(static_cast<std::size_t>(width)) {
    for (const std::string& cell : cells) cell_width_ = std::max(cell_width_, cell.size());
  }

  std::string write() {
    write_axis(0);
    return text_;
  }

 private:
  void write_axis(std::size_t axis) {
    if (axis == shown_.size()) {
      text_ += cells_[next_++];
      return;
    }
    text_ += '[';
    const std::vector<Size>& indices = shown_[axis];
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (i > 0) separate(axis, indices[i] != indices[i - 1] + 1);
      if (axis + 1 == shown_.size()) {
        write_cell(axis);
      } else {
        write_axis(axis + 1);
      }
    }
    text_ += ']';
  }

  void write_cell(std::size_t axis) {
    const std::string& cell = cells_[next_++];
    const std::size_t closing = shown_.size() + 1;  // brackets, or a comma and a space
    if (column() > axis + 1 && column() + cell_width_ + closing > width_) new_line(axis);
    text_ += std::string(cell_width_ - cell.size(), ' ') + cell;
  }

  // Between two elements of an axis: on a line in the last axis, else on new lines, with an empty one between matrices.
  void separate(std::size_t axis, bool gap) {
    text_ += ",";
    if (axis + 1 == shown_.size()) {
      text_ += gap ? " ..., " : " ";
      return;
    }
    if (axis + 3 <= shown_.size()) text_ += '\n';
    new_line(axis);
    if (!gap) return;
    text_ += "...,";
    if (axis + 3 <= shown_.size()) text_ += '\n';
    new_line(axis);
  }

  void new_line(std::size_t axis) {
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    text_ += '\n' + std::string(axis + 1, ' ');
  }

  std::size_t column() const { return text_.size() - (text_.rfind('\n') + 1); }

  const Shown& shown_;
  const std::vector<std::string>& cells_;
  const std::size_t width_;
  std::size_t cell_width_ = 0, next_ = 0;
  std::string text_;
};

void check_options(const PrintOptions& options) {
  const auto check = [](bool good, const std::string& what) {
    if (!good) throw std::invalid_argument("to_string: " + what);
  };
  check(options.precision >= 1 && options.precision <= 17,
        "precision " + std::to_string(options.precision) + ", not 1 to 17");
  check(options.edge >= 1, "edge " + std::to_string(options.edge) + ", not at least 1");
  check(options.width >= 40, "width " + std::to_string(options.width) + ", not at least 40");
}

}  // namespace

std::string to_string(const Tensor& x, const PrintOptions& options) {
  check_options(options);
  const std::string note = options.note.empty() ? "" : ", " + options.note;
  if (!x.defined()) return "no tensor" + note;
  const std::string header = std::string(text(x.dtype())) + " " + text(x.shape()) + note;
  if (!x.has_data()) return header + ", numbers not kept";
  if (x.size() == 0) return header + ", no elements";
  const Shown shown = shown_indices(x, options);
  const Cells cells = cells_of(x, shown, options.precision);
  const std::string scale =
      cells.exponent == 0 ? "" : ", times " + formatted("%.*e", 0, std::pow(10.0, cells.exponent));
  return header + scale + "\n" + Writer(shown, cells.texts, options.width).write();
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << to_string(x); }

}  // namespace attend
