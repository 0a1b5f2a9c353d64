#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/chart.hpp"
#include "tutorials/lesson/graph.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/overlay.hpp"
#include "tutorials/lesson/report/parts.hpp"

/// The parts of a report as HTML that can be read without its script: a heat map is a table whose cells are coloured.
/// Every text of a chapter is escaped here.

namespace attend::lesson::html {

/// HTML inside of a tag with its attributes: element("p class=\"a\"", "text") is "<p class="a">text</p>".
std::string element(const std::string& tag, const std::string& content);

/// A text: a paragraph, or as it stands when it has lines of its own.
std::string paragraph(const std::string& text);

/// Names, shapes and meanings, one after the other along an arrow.
std::string flow(const std::vector<Traced>& trace);

/// A claim as a card: what it says, the figure beside the expected one, and whether it held.
std::string card(const Claim& claim);

/// A table. The cells behind the last header are notes; `rows` has them, `headers` has not. `right`: for each column
/// whether it is aligned on the right.
std::string table(const std::vector<std::string>& headers, const std::vector<std::vector<std::string>>& rows,
                  const std::vector<bool>& right);

std::string suggestions(const std::vector<Suggestion>& suggestions);

std::string figure(const Chart& chart);
std::string figure(const std::string& title, const std::vector<std::vector<Overlay>>& rows);
/// `number` is the place of its numbers in the data of the page: so the script finds them.
std::string figure(const MapFigure& maps, Size number);
std::string figure(const Graph& graph, Size number);

/// The colours of the cells, as a style sheet has them: .l0 to the last level, and the bar of the scale.
std::string colours();

}  // namespace attend::lesson::html
