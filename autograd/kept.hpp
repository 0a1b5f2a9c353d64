// What a history keeps in memory for its backward pass.
#pragma once
#include <string>
#include <vector>

#include "autograd/var.hpp"

namespace attend {

/// The nodes of one op in a history, and the bytes of memory that they keep alive.
struct Kept {
  std::string op;
  Size nodes = 0;
  Size bytes = 0;
};

/// What backward must remember of y, op by op, the most bytes first. A block of memory counts once, for the oldest of
/// the nodes that keep it; blocks of leaves, which are alive without any history, do not count. Ops that keep nothing
/// are listed with 0 bytes: add, reshape and whatever else has a derivative that does not depend on its inputs.
std::vector<Kept> kept_by_op(const Var& y);

/// The sum of the bytes of `kept_by_op`.
Size kept_bytes(const Var& y);
/// The bytes of one op in such a list; 0 where it is not there.
Size kept_bytes(const std::vector<Kept>& kept, const std::string& op);

}  // namespace attend
