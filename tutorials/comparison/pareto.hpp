#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/size.hpp"

/// Two costs of several choices in one picture: which of them is worse in both than another?

namespace attend::comparison {

struct Candidate {
  std::string name;
  double x, y;  // both positive, and better when smaller
};

/// The places of the choices that no other one beats in both, from the smallest x on.
std::vector<std::size_t> front(const std::vector<Candidate>& choices);

/// A picture with both scales logarithmic: a number for each choice, the names beside, and a line through the front.
/// Throws std::invalid_argument for none, and for a number that is not positive.
std::string pareto_svg(const std::string& title, const std::string& x_name, const std::string& y_name,
                       const std::vector<Candidate>& choices);

}  // namespace attend::comparison
