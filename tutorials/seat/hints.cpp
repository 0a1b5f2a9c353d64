#include "tutorials/seat/hints.hpp"

#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::seat {

using lesson::begins;

std::vector<std::string> hints_for(const std::string& text, const std::string& k, const std::string& path) {
  std::vector<std::string> hints;
  bool inside = false;
  for (const std::string& line : lesson::split(text, '\n')) {
    if (begins(line, "## ")) inside = line == "## Exercise " + k;
    if (!inside || begins(line, "## ") || begins(line, "```")) continue;
    if (begins(line, "### ")) {
      hints.emplace_back();
    } else if (!hints.empty()) {
      hints.back() += line + "\n";
    }
  }
  bool complete = hints.size() == 3;
  for (std::string& hint : hints) {
    hint = lesson::trimmed(hint, "\n");
    complete = complete && !hint.empty();
  }
  if (complete) return hints;
  throw lesson::DataError(path, 0,
                          "exercise " + k + " has " + std::to_string(hints.size()) + " hints, not 3 with text");
}

}  // namespace attend::seat
