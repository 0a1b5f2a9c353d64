#pragma once
#include <memory>

#include "tutorials/14_hashing/pairs.hpp"

/// How the rounds of LSH attention are put together, by the definition and in two ways that are wrong.

namespace attend::chapter14 {

enum class Together {
  once,      // a key counts once, in however many rounds it is met: what LshAttention computes
  twice,     // it counts once for each round
  averaged,  // each round by itself, and then their mean
};

/// LSH attention by its definition: all pairs, and a mask for each round. For one head of one sequence, q [1, 1, T, d].
/// The same numbers as LshAttention at the price of softmax attention, or those of a mistake.
struct LshByDefinition {
  LshAttention lsh;
  Together together = Together::once;
  bool sees_itself = false;  // a mistake: no key is as near to a query as its own

  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// LSH attention that draws its rotations anew at every call. It is wrong: a second forward pass is another function.
struct RedrawnLsh {
  Size width, buckets, chunk, rounds;
  std::shared_ptr<Rng> rng;

  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// What LSH attention makes of queries whose full attention is known.
struct Found {
  double pairs;   // the share of all pairs that is formed
  double weight;  // the share of the weights of full attention that lies on them
  double error;   // relative to the full result
};
/// The mean over so many draws of queries, values and rotations: T positions of width d, queries of this length.
struct Setting {
  Size T, d;
  double query_length;
  Size buckets, chunk;
};
Found found_of(Directions how, const Setting& setting, Size rounds, Together together, Size draws, Rng rng);

/// The example on paper: six queries of length 2 √2 in the plane, values 10 to 60, two rounds, chunks of two, the first
/// of which looks back at nothing.
struct OnPaper {
  Var q, v;
  LshAttention lsh;
};
OnPaper on_paper();

}  // namespace attend::chapter14
