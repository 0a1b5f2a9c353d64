#pragma once

#include <string>
#include <vector>

#include "autograd/gradcheck.hpp"
#include "tutorials/lesson/claims.hpp"

/// Are the derivatives right? The table with which every chapter answers.

namespace attend::lesson {

/// Prints a line for each report, worst first, and claims that all passed. `what` heads the column of their names.
void claim_gradients(std::vector<GradcheckReport> reports, Claims& claims, const std::string& what = "derivatives of");

/// Claims that f is a function: that a second call gives the same, to the last bit, and that its gradients at gy are
/// the same inside a checkpoint, which calls it twice.
void claim_repeatable(const std::function<Var(const Vars&)>& f, const Vars& inputs, const Var& gy, Claims& claims);

/// Of a report that did not pass, the input that is furthest off: which element is the first that is wrong, and a heat
/// map of all differences. "" where no element is (a gradient that is too small to prove anything).
std::string first_wrong(const GradcheckReport& report, const Screen& screen = standard_screen());

}  // namespace attend::lesson
