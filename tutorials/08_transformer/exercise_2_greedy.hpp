// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "tutorials/08_transformer/transformer.hpp"

namespace attend::chapter08 {

/// An answer: greedy decoding. `bug` is what the check must name in one of the listed wrong answers.
struct GreedyAnswer {
  std::string name;
  std::vector<translation::Ids> (*write)(const Transformer& model, const Memory& memory, Size texts, Size longest);
  std::string bug = "";
};

std::vector<GreedyAnswer> greedy_answers();

}  // namespace attend::chapter08
