#include "tutorials/lesson/run.hpp"

#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/interrupt.hpp"
#include "tutorials/lesson/report/keep.hpp"

namespace attend::lesson {
namespace {

int report(const std::string& message, int exit_code) {
  std::cout << std::flush;
  std::cerr << message << std::endl;
  return exit_code;
}

/// The exit code, but 1 where what was said did not get out: on a full disk a lesson has not gone well.
int unless_unsaid(int exit_code) {
  if (std::cout << std::flush) return exit_code;
  return report("error: standard output could not be written", exit_code == 0 ? 1 : exit_code);
}

}  // namespace

int run(int argc, char** argv, const std::function<int(int, char**)>& body) {
  end_cleanly_when_interrupted();
  try {
    const int exit_code = body(argc, argv);
    finish_report(exit_code);
    return unless_unsaid(exit_code);
  } catch (const HelpWanted& help) {
    std::cout << help.what();
    return unless_unsaid(0);
  } catch (const UsageError& error) {
    return report(std::string(error.what()) + " (--help explains them)", 2);
  } catch (const DataError& error) {
    return report(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return report("error: out of memory", 1);
  } catch (const std::exception& error) {
    return report(std::string("error: ") + error.what(), 1);
  }
}

}  // namespace attend::lesson
