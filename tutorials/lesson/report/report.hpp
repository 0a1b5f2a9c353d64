#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/chart.hpp"
#include "tutorials/lesson/graph.hpp"
#include "tutorials/lesson/heatmap.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/overlay.hpp"
#include "tutorials/lesson/report/parts.hpp"
#include "tutorials/lesson/report/record.hpp"
#include "tutorials/lesson/show.hpp"
#include "tutorials/lesson/stopwatch.hpp"

/// What a run has printed, kept for a page that can be opened without this program.

namespace attend::lesson {

/// A run of a program, as its report names it.
struct RunOf {
  std::string program;  ///< "Chapter 05: Self-attention as retrieval"
  std::string command;  ///< what repeats it: "./attend run 05 --seed 3"
};

/// Collects, in their order, the things that the printing functions of the lesson print to a screen that names this
/// report. Each is kept as it was given and not as it was printed: all columns, all digits.
class Report {
 public:
  explicit Report(RunOf run) : run_(std::move(run)) {}

  void title(const std::string& chapter, const std::string& text);
  void heading(const std::string& text);
  void paragraph(const std::string& text);
  void point(const std::string& text);
  void shapes(const std::vector<Traced>& trace);
  void suggestions(const std::vector<Suggestion>& suggestions);
  void claim(const Claim& claim);

  /// A table; each row has a cell for each header and one more for the note behind it. `right`: for each column whether
  /// it is aligned on the right.
  void table(const std::vector<std::string>& headers, const std::vector<std::vector<std::string>>& rows,
             const std::vector<bool>& right);
  void chart(const Chart& chart);
  void map(const HeatMap& map);
  void heads(const std::string& title, const std::vector<HeatMap>& heads);
  void over_training(const std::string& title, const std::vector<Moment>& moments);
  void overlays(const std::string& title, const std::vector<std::vector<Overlay>>& rows);
  void graph(const Graph& graph);

  /// The whole page: HTML that needs no other file.
  std::string page(int exit_code) const;

  /// What another run can be compared with.
  Record record(int exit_code) const;

 private:
  /// A piece of the page. Pieces that follow each other and name the same group, a tag, stand in it together.
  struct Piece {
    std::string html, group = "";
  };
  void maps(const MapFigure& figure);
  std::string contents() const;
  std::string body() const;

  RunOf run_;
  Stopwatch watch_;
  std::string title_;
  std::vector<std::string> headings_;
  std::vector<Piece> pieces_;
  std::vector<Claim> claims_;
  std::vector<Chart> charts_;
  std::vector<std::string> data_;  // the numbers behind each figure that can be explored, as JSON
};

}  // namespace attend::lesson
