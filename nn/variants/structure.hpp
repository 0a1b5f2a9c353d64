// The identities of graphs and trees, which have no place between heads, for the list in structure.cpp.
#pragma once
#include "nn/variants/heads.hpp"

namespace attend {

std::vector<Identity> graph_identities();
std::vector<Identity> tree_identities();

inline Var softmax_under(const Heads& in, const Mask& mask) { return in(SoftmaxAttention(), mask); }

}  // namespace attend
