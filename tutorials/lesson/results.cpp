#include "tutorials/lesson/results.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ostream>
#include <stdexcept>

#include "tensor/whole_file.hpp"
#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/nearest.hpp"

namespace attend::lesson {
namespace {

const std::vector<std::string> header = {"name", "seeds", "min", "mean", "max"};

double parse_number(const std::string& text, const std::string& path, Size line) {
  char* rest = nullptr;
  const double value = std::strtod(text.c_str(), &rest);
  if (text.empty() || *rest != '\0' || !std::isfinite(value)) {
    throw DataError(path, line, "'" + text + "' is not a number");
  }
  return value;
}

}  // namespace

Figure& Results::entry(const std::string& name) {
  const auto found = std::find_if(figures_.begin(), figures_.end(), [&](const Figure& f) { return f.name == name; });
  if (found != figures_.end()) return *found;
  figures_.push_back({name, 0, 0, 0, 0});
  return figures_.back();
}

void Results::add(const std::string& name, std::uint64_t seed, double value) {
  if (name.empty() || name.find_first_of("\t\r\n") != std::string::npos) {
    throw std::invalid_argument("Results: a name must be one line without a tab");
  }
  if (!std::isfinite(value)) throw std::invalid_argument("Results: " + name + " is " + exact(value));
  std::map<std::uint64_t, double>& by_seed = values_[name];
  by_seed[seed] = value;

  Figure& figure = entry(name);
  figure = {name, size_of(by_seed), value, 0, value};
  for (const auto& [_, v] : by_seed) {
    figure.min = std::min(figure.min, v);
    figure.max = std::max(figure.max, v);
    figure.mean += v / static_cast<double>(by_seed.size());
  }
}

const Figure& Results::at(const std::string& name) const {
  std::vector<std::string> names;
  for (const Figure& figure : figures_) {
    if (figure.name == name) return figure;
    names.push_back(figure.name);
  }
  throw std::invalid_argument("Results: " + unknown_name("figure", name, names));
}

void Results::write(const std::string& path) const {
  WholeFile file(path);
  std::ostream& out = file.stream();
  for (const std::string& title : header) out << title << (title == header.back() ? "\n" : "\t");
  for (const Figure& f : figures_) {
    out << f.name << '\t' << f.seeds << '\t' << exact(f.min) << '\t' << exact(f.mean) << '\t' << exact(f.max) << '\n';
  }
  file.commit();
}

Results Results::read(const std::string& path) {
  const Tsv file = read_tsv(path, size_of(header), Header::first_line);
  if (file.header != header) throw DataError(path, 1, "the header should be name, seeds, min, mean, max");
  Results results;
  for (const TsvRow& row : file.rows) {
    const auto number = [&](Size column) { return parse_number(row.cells[column], path, row.line); };
    const double seeds = number(1);
    if (!(seeds >= 1 && seeds <= 1e9)) throw DataError(path, row.line, "'" + row.cells[1] + "' is no number of seeds");
    const Figure figure{row.cells[0], static_cast<Size>(seeds), number(2), number(3), number(4)};
    if (figure.min > figure.max) throw DataError(path, row.line, "the smallest value is above the largest");
    results.figures_.push_back(figure);
  }
  return results;
}

}  // namespace attend::lesson
