#pragma once
#include "nn/variants/variant.hpp"

/// The variants whose cost is counted and timed.

namespace attend::chapter13 {

/// Softmax attention, Linformer and Nyström with 64 projected keys or landmarks at every length (their usual settings
/// grow with the length up to a limit), linear attention and the Performer in their usual settings.
std::vector<Variant> costed();

}  // namespace attend::chapter13
