// What a page shows of a program's output, and whether the program still says so. A transcript stands between marks:
//
//   <!-- run: the end of ./attend run 05 --break causal-mask -->
//   ```
//   ...
//   ```
//   <!-- /run -->
//
// It is a part of what the command prints, without gaps but where a line `...` stands.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tutorials/lesson/size.hpp"

namespace transcripts {

using attend::lesson::Size;

struct Transcript {
  Size line = 0;          // of the mark, in the page
  std::string arguments;  // of the chapter's program: "--break causal-mask"
  std::vector<std::string> lines;
};

/// All of a page. Throws std::invalid_argument, with the line, for a mark without `./attend run NN` or
/// `./attend variants`, or without its end.
std::vector<Transcript> transcripts_of(const std::string& page);

/// The first line of a transcript that the output does not hold where it should; nothing when it holds all. Numbers
/// with a point or an exponent may differ by 2 %, or by what rounding leaves of 0; neither the width of gaps nor line
/// breaks count, nor do the lengths of bars and the shades of heat maps: they repeat what numbers beside them say.
std::optional<std::string> first_line_missing(const Transcript& transcript, const std::string& output);

/// The claims that a transcript shows, those that hold and those that do not, by what they say before the figures.
std::vector<std::string> claims_of(const Transcript& transcript);

/// The strings of C++ source; adjacent ones are one, and what is filled in, "{}", parts them.
std::vector<std::string> strings_of(const std::string& source);

/// Whether a program with these strings may print the claim. Each of its parts, between ", " and ": ", must stand in
/// one of them; a number may stand between two.
bool may_be_said(const std::string& claim, const std::vector<std::string>& strings);

}  // namespace transcripts
