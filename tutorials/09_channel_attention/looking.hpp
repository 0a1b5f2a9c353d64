#pragma once
#include "tutorials/09_channel_attention/learning.hpp"
#include "tutorials/lesson/heatmap.hpp"

/// What the gates of a trained network do.

namespace attend::chapter09 {

/// At how many of the 64 positions the last maps of any of these images change when its cue is turned.
Size positions_reached(const Network& network, const CuedDigits& pairs);

/// The mean gate of each channel over the images with either cue.
struct MeanGates {
  std::vector<double> plus, minus;  // a number for each channel
};
/// For each block of a network with SqueezeExcitation.
std::vector<MeanGates> mean_gates(const Network& network, const CuedDigits& pairs);

/// The largest |plus − minus| of any channel.
double largest_gap(const MeanGates& gates);

/// The channels in order: from those that are more open for + to those that are more open for −.
std::vector<std::size_t> by_difference(const MeanGates& gates);

/// For each channel of the first block: of the squares of its kernel that lie on both digits, the first one's share.
std::vector<double> share_on_first_digit(const Network& network);

/// Two rows, cue + and cue −, and a column for each channel in this order.
lesson::HeatMap heat_map(const MeanGates& gates, const std::string& title);

/// How the network answers with gates that are not the image's own.
struct Exchanged {
  double own;         // the share of answers that name the digit that is meant
  double twin_other;  // with the gates of the same two digits under the other cue: names the other digit
  double twin_meant;  // and still the one that is meant
  double mean_meant;  // with the mean gates over all images: names the one that is meant
};
Exchanged exchange_gates(const Network& network, const CuedDigits& pairs);

/// The smallest and the largest sum over the channels of an image's gates in a block.
lesson::Range gate_sums(const Var& gates);

}  // namespace attend::chapter09
