#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tutorials/lesson/size.hpp"

/// The figures of a chapter over several seeds: what --full measures and the page states.

namespace attend::lesson {

/// One figure over all seeds it was measured with.
struct Figure {
  std::string name;
  Size seeds;
  double min, mean, max;
};

/// Collects figures and keeps them in results.tsv.
///
///     Results results;
///     for (seed …) results.add("exact match", seed, exact);
///     results.write(path);
///     const Figure stated = Results::read(path).at("exact match");      // in a default run
class Results {
 public:
  /// Notes what `seed` gave; a second value for the same name and seed takes the place of the first. Throws
  /// std::invalid_argument for a value that is not finite, or a name that is empty or holds a tab or a line break.
  void add(const std::string& name, std::uint64_t seed, double value);

  /// The figures in the order of their first `add`.
  const std::vector<Figure>& figures() const { return figures_; }

  /// The figure of that name. Throws std::invalid_argument, naming the nearest one, when there is none.
  const Figure& at(const std::string& name) const;

  /// Writes name, seeds, min, mean and max, one figure a line, exact to the last bit, below a header line. The file is
  /// all there or untouched, also after Ctrl-C. Throws std::runtime_error when it cannot be written.
  void write(const std::string& path) const;

  /// Reads such a file. Throws DataError when it is missing or malformed.
  static Results read(const std::string& path);

 private:
  Figure& entry(const std::string& name);

  std::vector<Figure> figures_;
  std::map<std::string, std::map<std::uint64_t, double>> values_;  // by name and seed
};

}  // namespace attend::lesson
