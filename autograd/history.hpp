// The history of a Var as a list, for what draws, explains or counts it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "autograd/record.hpp"

namespace attend {

/// What a reader calls the Vars of a history: {{"w", w}, {"b", b}}.
using Names = std::map<std::string, Var>;

/// All nodes that y was made from, its own first, each younger than the next: the order of the backward pass. They live
/// as long as y does. Empty for a constant. Without recursion: a history may be longer than the stack is deep.
std::vector<const Node*> history(const Var& y);
/// The same of several Vars, and only those nodes that are no older than `oldest`, an id.
std::vector<const Node*> history(const Vars& ys, std::uint64_t oldest);

}  // namespace attend
