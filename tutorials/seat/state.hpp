#pragma once

#include <map>
#include <set>
#include <string>

#include "tutorials/lesson/size.hpp"

/// What a reader has done so far, kept in one plain-text file, .attend/state.tsv.

namespace attend::seat {

using lesson::Size;

enum class Standing { untouched, tried, solved, given_up };

struct Attempted {
  Standing standing = Standing::untouched;
  Size hints = 0;           ///< how many of its three have been shown
  std::string fingerprint;  ///< of the file as it was solved; "" otherwise
};

struct Score {
  Size right = 0, asked = 0;
};

struct State {
  std::string at;                              ///< the chapter that was worked on last; "" at the beginning
  std::set<std::string> ran;                   ///< chapters whose program has run, all claims held
  std::map<std::string, Attempted> exercises;  ///< by id, "05.1"
  std::map<std::string, Score> quizzes;        ///< best score, by chapter

  Attempted of(const std::string& exercise) const;
  /// Solved, or given up: nothing is left to do there.
  bool finished(const std::string& exercise) const;
};

/// Reads the file; a missing one is the beginning. A file that this program did not write, or not to its end, is
/// renamed to PATH.1, .2, …, whichever is free; `notice` then says so, and the beginning is given. Throws
/// std::runtime_error when that cannot be done, and lesson::DataError for a path to what is no file.
State read_state(const std::string& path, std::string& notice);

/// Writes all of it or, when that fails, nothing; makes the folder. Throws std::runtime_error when that fails.
///
///     attend state 1
///     at         05
///     ran        05
///     exercise   05.1   solved   2   91c5a13be0f4a6d2
///     quiz       05     4        5
///     end        4
///
/// Cells are set apart by tabs; the last line counts those between, so that a file cut short is noticed.
void write_state(const std::string& path, const State& state);

/// A fingerprint of a file's bytes; "" for one that cannot be read. It tells whether a file has changed, not more.
std::string fingerprint(const std::string& path);

}  // namespace attend::seat
