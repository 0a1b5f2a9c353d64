#include "tutorials/lesson/five_seeds.hpp"

#include <algorithm>
#include <stdexcept>

#include "tensor/whole_file.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/narration.hpp"

namespace attend::lesson {

double value_named(const NamedFigures& figures, const std::string& name) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& one) { return one.name == name; });
  if (found == figures.end()) throw std::invalid_argument("no figure '" + name + "'");
  return found->value;
}

Results measure_five_seeds(const std::string& path, const std::function<NamedFigures(std::uint64_t seed)>& measure) {
  check_writable(path);
  Results results;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    heading(fill("Seed {}", {std::to_string(seed)}));
    for (const NamedFigure& figure : measure(seed)) results.add(figure.name, seed, figure.value);
  }
  results.write(path);
  return results;
}

void claim_ranges(const NamedFigures& figures, const std::string& path, Claims& claims) {
  if (figures.empty()) return;
  heading("As the page states");
  say("Each figure, and how far around the range of five seeds it may lie.\n");
  const Results stated = Results::read(path);
  for (const NamedFigure& figure : figures) {
    const Figure range = stated.at(figure.name);
    const double slack = std::max(figure.slack, 0.5 * (range.max - range.min));
    figure.share ? claims.share_as_stated(figure.value, range, slack) : claims.as_stated(figure.value, range, slack);
  }
}

}  // namespace attend::lesson
