#pragma once

#include <string>

#include "tutorials/lesson/report/report.hpp"

/// The report of a program's run, from its command line to its exit code.

namespace attend::lesson {

/// From now on keeps what is printed to the standard screen, for a page in that file, and for a record in the one that
/// the environment variable ATTEND_RECORD names; where both are empty, nothing. Throws UsageError where one of them
/// could not be written.
void start_report(const std::string& path, const RunOf& run);

/// Writes what was kept and says where the page is; nothing where nothing was kept. Throws std::runtime_error when it
/// cannot be written.
void finish_report(int exit_code);

}  // namespace attend::lesson
