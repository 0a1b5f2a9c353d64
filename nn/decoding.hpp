// Decoding: a text from a model that says, step by step, how likely each next symbol is.
#pragma once
#include <functional>
#include <vector>

#include "autograd/var.hpp"

namespace attend {

/// What decoding asks of a model. The model keeps its own state, usually a cache, for a number of texts at once.
struct NextSymbol {
  /// The last symbol of each text, int64 [n] -> the logarithms of the probabilities of the next one, [n, symbols]. (Any
  /// scores will do that are to be added up, for beam search none above 0.) The state moves on by one symbol.
  std::function<Tensor(const Tensor& last)> log_probabilities;
  /// From now on text i is what row rows[i] has been: int64 [n], rows may be lost or come several times. `taken` of the
  /// caches does it. Greedy decoding never asks for it.
  std::function<void(const Tensor& rows)> keep = {};
};

struct DecodingOptions {
  std::int64_t begin = 0, end = 1;  // the symbols before and behind every text
  Size longest = 100;               // symbols; a text that does not end by itself is cut there
  Size beam = 4;                    // how many texts are followed at once
  double length_penalty = 0;        // texts are compared by log-probability / length^length_penalty, the end counted
};

/// A text without its begin and end, the logarithm of its probability (that of the end included, where it came), and
/// whether it ended by itself.
struct Decoded {
  std::vector<std::int64_t> symbols;
  double log_probability = 0;
  bool ended = false;
};

/// Always the likeliest next symbol (the first of equal ones), for `count` texts at once. Throws std::invalid_argument
/// for a count or length below 1, and for anything but [count, symbols] without NaN from the model.
std::vector<Decoded> greedy(const NextSymbol& model, Size count, const DecodingOptions& options);

/// Beam search for one text: at every step the `beam` best continuations of the texts so far are followed, those that
/// end are put aside. The search stops when no text that is followed can still come to be among the `beam` best that
/// ended. Best first, at most `beam`; a text of probability 0 is never among them. With a beam of 1 it is greedy
/// decoding; with one as wide as there are texts, the best of all is found. Throws std::invalid_argument as greedy
/// does, for a beam below 1, for a negative length penalty, and for a score above 0.
std::vector<Decoded> beam_search(const NextSymbol& model, const DecodingOptions& options);

}  // namespace attend
