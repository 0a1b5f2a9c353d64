#include "tutorials/lesson/nearest.hpp"

#include <algorithm>

#include "tutorials/lesson/text.hpp"

namespace attend::lesson {

Size edit_distance(std::string_view a, std::string_view b) {
  // distance[i][j]: from the first i characters of a to the first j of b.
  std::vector<std::vector<Size>> distance(a.size() + 1, std::vector<Size>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) distance[i][0] = static_cast<Size>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) distance[0][j] = static_cast<Size>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const Size replaced = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      distance[i][j] = std::min({replaced, distance[i - 1][j] + 1, distance[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
    }
  }
  return distance[a.size()][b.size()];
}

std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names) {
  std::string nearest;
  Size best = 0;
  for (const std::string& name : names) {
    const Size distance = edit_distance(wanted, name);
    const bool close = 2 * distance <= std::max(size_of(wanted), size_of(name));
    if (close && (nearest.empty() || distance < best)) {
      nearest = name;
      best = distance;
    }
  }
  return nearest;
}

std::string unknown_name(std::string_view kind, std::string_view wanted, const std::vector<std::string>& names) {
  std::string text = "no " + std::string(kind) + " '" + printable(wanted) + "'";
  const std::string nearest = nearest_name(wanted, names);
  if (!nearest.empty()) text += "; did you mean '" + nearest + "'?";
  if (names.empty()) return text + "; there is none";
  text += nearest.empty() ? "; there are: " : " There are: ";
  for (const std::string& name : names) text += (&name == &names.front() ? "" : ", ") + name;
  return text;
}

}  // namespace attend::lesson
