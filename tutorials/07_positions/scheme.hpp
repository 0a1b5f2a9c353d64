#pragma once
#include <string>
#include <vector>

/// The ways to tell attention where a token stands that this chapter compares.

namespace attend::chapter07 {

enum class Scheme {
  none,        // nothing: only the causal mask knows an order
  sinusoidal,  // added to the tokens: sines and cosines of the position
  learned,     // added to the tokens: a learned vector for each position
  rotary,      // queries and keys are turned by their positions
  relative,    // a learned vector for each distance, added to keys and values
  buckets,     // a learned number for each bucket of distances, added to the scores
  alibi        // a fixed number for each distance, added to the scores
};

/// As tables and results name it: "sinusoidal".
std::string name_of(Scheme scheme);

/// What --break does to a scheme.
enum class Fault {
  none,
  rotary_queries_only,  // rotary: keys are not turned
  rotary_values_too,    // rotary: values are turned, too
  positions_last,       // sinusoidal: added behind the attention
  mirrored_distance     // T5's buckets of i − j in place of j − i
};

/// The scheme that a fault is in.
Scheme scheme_of(Fault fault);

}  // namespace attend::chapter07
