#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/graph.hpp"
#include "tutorials/lesson/report/parts.hpp"

/// The numbers of a report as JSON, which its script reads. The only part that knows the JSON library.

namespace attend::lesson {

/// Title, labels and maps, the numbers to six digits; NaN and infinities are null.
std::string json(const MapFigure& figure);

/// Title, nodes and edges.
std::string json(const Graph& graph);

/// The whole: claims, and the figures, which are JSON already. It holds no "<", so that no text of a chapter can end
/// the script element that it stands in.
std::string json(const std::string& command, const std::vector<Claim>& claims, const std::vector<std::string>& figures);

}  // namespace attend::lesson
