#pragma once

#include <string>
#include <vector>

#include "tensor/random.hpp"
#include "tutorials/lesson/data.hpp"

/// Short texts and their translations, such as names.

namespace attend::translation {

using lesson::Pair;

/// The names of two languages from a file like cldr/cldr_emoji_names.tsv, whose header line names its columns: emoji,
/// en, fr, de, es, it. Throws lesson::DataError for a broken file and for a language it does not have.
std::vector<Pair> read_cldr_names(const std::string& path, const std::string& from = "en",
                                  const std::string& to = "fr");

/// Pairs from any tab-separated file: what stands before the first tab of a line, and what stands between it and the
/// next tab or the end. Further columns are ignored. Spaces around a text do not belong to it; empty lines are
/// skipped, and so is the first line when it begins with '#': a header. Line ends may be those of Windows. A pair
/// that occurs twice is kept once, where it occurs first.
///
/// Throws lesson::DataError with the line where the file cannot be read, is empty, is not UTF-8, has a line without a
/// tab, or one with nothing before or behind it; and where it has fewer than two different sources: one to learn and
/// one to hold out.
std::vector<Pair> read_pair_file(const std::string& path);

/// The pairs of a reader's own file, or without one ("") the names of the CLDR in English and French.
std::vector<Pair> pairs_of(const std::string& own_file);

struct Split {
  std::vector<Pair> training, held_out;
};

/// Puts a share of the pairs aside, chosen by `rng`, at least one and not all. Pairs of the same source stay on the
/// same side, so that no held-out source occurs in training; both sides keep the order of `pairs`. Throws
/// std::invalid_argument for a share outside of 0 .. 1 and for fewer than two different sources.
Split split_pairs(const std::vector<Pair>& pairs, double held_out_share, Rng& rng);

}  // namespace attend::translation
