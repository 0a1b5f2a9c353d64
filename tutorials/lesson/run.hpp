#pragma once

#include <functional>

namespace attend::lesson {

/// Runs a chapter's program and gives its exit code. What goes wrong is said in one line on standard error: 2 for a
/// DataError or a UsageError, 1 for any other exception; --help prints its text and gives 0. Ctrl-C ends at once and
/// leaves no temporary file. With --report the page is written when the body has ended by itself, well or not.
///
///     int main(int argc, char** argv) { return attend::lesson::run(argc, argv, chapter); }
int run(int argc, char** argv, const std::function<int(int, char**)>& body);

}  // namespace attend::lesson
