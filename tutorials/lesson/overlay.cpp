#include "tutorials/lesson/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <stdexcept>

#include "tensor/whole_file.hpp"
#include "tutorials/lesson/colour_scale.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/picture.hpp"
#include "tutorials/lesson/report/report.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

constexpr Size cell = 2;  // columns of a pixel in the terminal: about square
constexpr Size gap = 3;   // columns between two panels

bool is_plain(const Overlay& panel) { return panel.weights.all().empty(); }

void check(const Overlay& panel) {
  const Matrix &image = panel.image, &weights = panel.weights;
  if (image.all().empty()) throw std::invalid_argument("Overlay: an image without pixels");
  if (is_plain(panel)) return;
  if (image.rows() % weights.rows() != 0 || image.columns() % weights.columns() != 0) {
    throw std::invalid_argument(fill("Overlay: weights of {} x {} do not divide an image of {} x {}",
                                     {std::to_string(weights.rows()), std::to_string(weights.columns()),
                                      std::to_string(image.rows()), std::to_string(image.columns())}));
  }
  for (const double weight : weights.all()) {
    if (!(weight >= 0) || std::isinf(weight)) throw std::invalid_argument("Overlay: a weight of " + exact(weight));
  }
}

double largest(const Matrix& weights) {
  return weights.all().empty() ? 0 : *std::max_element(weights.all().begin(), weights.all().end());
}

// The weight of a patch in the largest.
double level(const Overlay& panel, Size row, Size column) {
  const double most = largest(panel.weights);
  return most > 0 ? panel.weights(row, column) / most : 0;
}

// The level of the patch that a pixel lies in.
double level_at(const Overlay& panel, Size row, Size column) {
  if (is_plain(panel)) return 0;
  return level(panel, row * panel.weights.rows() / panel.image.rows(),
               column * panel.weights.columns() / panel.image.columns());
}

std::string foot(const Overlay& panel) { return is_plain(panel) ? "" : "max " + fixed(largest(panel.weights), 2); }

// ---- in a terminal --------------------------------------------------------------------------------------------------

std::string pixel_row(const Overlay& panel, Size row, const Screen& screen) {
  std::string line;
  for (Size column = 0; column < panel.image.columns(); ++column) {
    const std::string ink = shade(panel.image(row, column), screen.unicode);
    if (screen.colour == Colour::none) {
      line += repeat(is_plain(panel) ? ink : shade(level_at(panel, row, column), screen.unicode), cell);
    } else {
      line += paint(level_at(panel, row, column), screen.colour) + repeat(ink, cell);
    }
  }
  return line + unpaint(screen.colour);
}

// A block of panels side by side: titles, pixels between borders, feet.
std::string block(const std::vector<Overlay>& panels, std::size_t first, std::size_t last, const Screen& screen) {
  const std::string border = screen.unicode ? "│" : "|";
  const auto line_of = [&](const std::function<std::string(const Overlay&)>& part) {
    std::string line;
    for (std::size_t i = first; i < last; ++i) line += (i > first ? repeat(" ", gap - 2) : "") + part(panels[i]);
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  const auto words = [&](const std::string& text, const Overlay& panel) {
    const Size width = panel.image.columns() * cell;
    return " " + pad_right(truncate(printable(text), width, screen.unicode ? "…" : "~"), width) + " ";
  };
  Size tallest = 0;
  for (std::size_t i = first; i < last; ++i) tallest = std::max(tallest, panels[i].image.rows());

  std::string text = line_of([&](const Overlay& panel) { return words(panel.title, panel); });
  for (Size row = 0; row < tallest; ++row) {
    text += line_of([&](const Overlay& panel) {
      if (row >= panel.image.rows()) return words("", panel);
      return border + pixel_row(panel, row, screen) + border;
    });
  }
  return text + line_of([&](const Overlay& panel) { return words(foot(panel), panel); });
}

// ---- as SVG ---------------------------------------------------------------------------------------------------------

constexpr Size side = 112, between = 16, margin = 14, caption = 18, title_height = 30;
constexpr const char* hue = "#d94801";

std::string number(double x) { return significant(x, 6); }

std::string rectangle(double x, double y, double width, double height, const std::string& look) {
  return fill("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n",
              {number(x), number(y), number(width), number(height), look});
}

std::string text_at(double x, double y, const std::string& text) {
  return fill("<text x=\"{}\" y=\"{}\">{}</text>\n", {number(x), number(y), escaped(printable(text))});
}

std::string grey(double ink) {
  const int part = static_cast<int>(std::lround(245 - 205 * std::clamp(ink, 0.0, 1.0)));
  return fill("fill=\"rgb({},{},{})\"", {std::to_string(part), std::to_string(part), std::to_string(part)});
}

// A panel of `side` pixels, its title above and the largest weight below.
std::string panel_at(const Overlay& panel, double x, double y) {
  std::string out = text_at(x, y + caption - 6, panel.title);
  const double top = y + caption;
  // A cell without paint is left out: the background is one rectangle, and much of an image is background.
  const auto grid = [&](const Matrix& values, const std::function<std::string(Size, Size)>& paint_of) {
    const double width = side / static_cast<double>(values.columns());
    const double height = side / static_cast<double>(values.rows());
    for (Size i = 0; i < values.rows(); ++i) {
      for (Size j = 0; j < values.columns(); ++j) {
        const double left = x + width * static_cast<double>(j), above = top + height * static_cast<double>(i);
        if (values(i, j) > 0) out += rectangle(left, above, width, height, paint_of(i, j));
      }
    }
  };
  out += rectangle(x, top, side, side, grey(0));
  grid(panel.image, [&](Size i, Size j) { return grey(panel.image(i, j)); });
  if (is_plain(panel)) return out;
  grid(panel.weights, [&](Size i, Size j) {
    return fill("fill=\"{}\" fill-opacity=\"{}\"", {hue, fixed(0.75 * level(panel, i, j), 3)});
  });
  return out + text_at(x, top + side + caption - 4, foot(panel));
}

}  // namespace

Overlay plain_image(const Matrix& image, const std::string& title) { return {image, Matrix(0, 0, {}), title}; }

std::string render(const std::vector<Overlay>& panels, const Screen& screen) {
  for (const Overlay& panel : panels) check(panel);
  std::string text;
  for (std::size_t first = 0; first < panels.size();) {
    std::size_t last = first;
    for (Size width = 0; last < panels.size(); ++last) {
      width += panels[last].image.columns() * cell + gap;
      if (last > first && width - gap + 2 > screen.width) break;
    }
    text += block(panels, first, last, screen);
    first = last;
  }
  return text;
}

void draw(const std::vector<Overlay>& panels, const Screen& screen) {
  const std::string text = render(panels, screen);  // first, since it throws for what cannot be drawn
  if (screen.report != nullptr) screen.report->overlays("", {panels});
  *screen.out << text << std::flush;
}

std::string in_words(const Overlay& panel) {
  check(panel);
  const std::string title = panel.title.empty() ? "" : printable(panel.title) + ": ";
  if (is_plain(panel)) return title + "the image alone";
  const Matrix& weights = panel.weights;
  std::vector<double> falling = weights.all();
  const auto best = std::max_element(falling.begin(), falling.end()) - falling.begin();
  const Size height = panel.image.rows() / weights.rows(), width = panel.image.columns() / weights.columns();
  const auto span = [](Size at, Size length) {
    const std::string begin = std::to_string(at * length);
    return length == 1 ? begin : begin + "-" + std::to_string(at * length + length - 1);
  };

  double whole = 0, taken = 0;
  for (const double weight : falling) whole += weight;
  std::sort(falling.begin(), falling.end(), std::greater<>());
  std::size_t patches = 0;
  while (patches < falling.size() && taken < whole / 2) taken += falling[patches++];
  return fill("{}most at rows {}, columns {} ({}); half of the whole on {} of {} patches",
              {title, span(best / weights.columns(), height), span(best % weights.columns(), width),
               fixed(largest(weights), 2), std::to_string(patches), std::to_string(falling.size())});
}

std::string svg(const std::vector<std::vector<Overlay>>& rows, const std::string& title) {
  std::size_t most = 0;
  std::string words;
  for (const std::vector<Overlay>& row : rows) {
    most = std::max(most, row.size());
    for (const Overlay& panel : row) words += (words.empty() ? "" : "; ") + escaped(in_words(panel));
  }
  const Size row_height = side + 2 * caption + between;
  const Size width = 2 * margin + std::max<Size>(1, static_cast<Size>(most)) * (side + between) - between;
  const Size height = 2 * margin + title_height + size_of(rows) * row_height - between;
  const std::string w = std::to_string(width), h = std::to_string(height);

  std::string out =
      fill("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" ", {w, h, w, h});
  out += "role=\"img\" font-family=\"sans-serif\" font-size=\"12\" shape-rendering=\"crispEdges\">\n";
  out += "<title>" + escaped(title) + "</title>\n<desc>" + words + "</desc>\n";
  out += rectangle(0, 0, static_cast<double>(width), static_cast<double>(height), "fill=\"#ffffff\"");
  out += text_at(margin, margin + 12, title);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      out += panel_at(rows[i][j], static_cast<double>(margin + static_cast<Size>(j) * (side + between)),
                      static_cast<double>(margin + title_height + static_cast<Size>(i) * row_height));
    }
  }
  return out + "</svg>\n";
}

void write_svg(const std::vector<std::vector<Overlay>>& rows, const std::string& title, const std::string& path) {
  WholeFile file(path);
  file.stream() << svg(rows, title);
  file.commit();
}

}  // namespace attend::lesson
