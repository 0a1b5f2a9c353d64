#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tutorials/07_positions/reader.hpp"

/// Training a reader on texts of one length, and asking it on others.

namespace attend::chapter07 {

constexpr Size trained_length = 24;

/// Where the texts of a training stand. `anywhere`: each batch begins at a random position, so that all positions a
/// table has are met, though never more than 24 of them at once.
enum class Start { at_zero, anywhere };

/// What is trained and how.
struct Trial {
  Scheme scheme;
  Start start = Start::at_zero;
  Fault fault = Fault::none;
};

/// "sinusoidal", "sinusoidal, shifted".
std::string name_of(const Trial& trial);

/// The seven schemes, and sinusoids once more, with texts that begin anywhere.
const std::vector<Trial>& all_trials();

/// How many steps a training takes: twice as many for learned positions and ALiBi, which learn the task more slowly.
Size steps_of(const Trial& trial);

/// Told after each step: its number and its loss.
using Watch = std::function<void(Size step, double loss)>;

/// A reader after `steps` steps, each on 16 new texts. The same seed gives the same reader, whatever the threads.
Reader trained(const Trial& trial, std::uint64_t seed, Size steps, const Watch& watch = {});

/// The share of right answers at each position of texts of that length, over `count` texts that no training draws;
/// 0 at the first three.
std::vector<double> right_by_position(const Reader& reader, Size length, Size count);

/// The mean over positions first .. last − 1.
double mean_of(const std::vector<double>& by_position, Size first, Size last);

/// The share of right answers in texts of that length, over all positions that have one.
double accuracy(const std::vector<double>& by_position);

}  // namespace attend::chapter07
