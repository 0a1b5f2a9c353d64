#pragma once

#include <string>
#include <vector>

#include "autograd/gradcheck.hpp"
#include "tutorials/lesson/claims.hpp"

/// Are the derivatives right? The table with which every chapter answers.

namespace attend::lesson {

/// Prints a line for each report, worst first, and claims that all passed. `what` heads the column of their names.
void claim_gradients(std::vector<GradcheckReport> reports, Claims& claims, const std::string& what = "derivatives of");

}  // namespace attend::lesson
