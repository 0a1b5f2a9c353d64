#pragma once

#include <string>

#include "tutorials/lesson/report/report.hpp"

/// The report of a program's run, from its command line to its exit code.

namespace attend::lesson {

/// From now on keeps what is printed to the standard screen, for that file. Throws UsageError where it could not be
/// written.
void start_report(const std::string& path, const RunOf& run);

/// Writes what was kept and says where it is; nothing where no report was started. Throws std::runtime_error when it
/// cannot be written.
void finish_report(int exit_code);

}  // namespace attend::lesson
