#pragma once
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter13 {

/// The example on paper, and the forms of linear attention beside each other.
void forms_section(const lesson::Options& options, lesson::Claims& claims);

/// What decoding has to remember, position after position.
void state_section(const lesson::Options& options, lesson::Claims& claims);

/// What each of them refuses, and derivatives.
void limits_section(const lesson::Options& options, lesson::Claims& claims);

}  // namespace attend::chapter13
