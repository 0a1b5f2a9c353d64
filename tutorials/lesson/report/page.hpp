#pragma once

#include <map>
#include <string>

namespace attend::lesson {

/// report.html with report.css and report.js in their places, and each {{name}} replaced by its part, which is HTML (or
/// CSS, or JSON) already. A {{name}} inside of a part stays. Throws std::logic_error for a name without a part.
std::string report_page(const std::map<std::string, std::string>& parts);

}  // namespace attend::lesson
