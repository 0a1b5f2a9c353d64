#include "tutorials/lesson/run.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <iostream>
#include <new>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/errors.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

struct Outcome {
  int code;
  std::string out, err;
};

/// What `run` gives and prints for a body. The signal handlers it sets are put back afterwards.
Outcome outcome(const std::function<int()>& body) {
  std::ostringstream out, err;
  std::streambuf* const old_out = std::cout.rdbuf(out.rdbuf());
  std::streambuf* const old_err = std::cerr.rdbuf(err.rdbuf());
  const int code = run(0, nullptr, [&](int, char**) { return body(); });
  std::cout.rdbuf(old_out);
  std::cerr.rdbuf(old_err);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  return {code, out.str(), err.str()};
}

}  // namespace

TEST_CASE("a body that ends by itself gives its own exit code") {
  CHECK(outcome([] { return 0; }).code == 0);
  CHECK(outcome([] { return 1; }).code == 1);
}

TEST_CASE("what a person can put right is one line and exit code 2") {
  const Outcome data = outcome([]() -> int { throw DataError("p.tsv", 3, "no tab on this line"); });
  CHECK(data.code == 2);
  CHECK(data.err == "p.tsv:3: no tab on this line\n");
  const Outcome usage = outcome([]() -> int { throw UsageError("no option '--sed'"); });
  CHECK(usage.code == 2);
  CHECK(usage.err == "no option '--sed' (--help explains them)\n");
}

TEST_CASE("any other exception is one line and exit code 1") {
  const Outcome shape = outcome([]() -> int { throw std::invalid_argument("matmul: inner sizes differ"); });
  CHECK(shape.code == 1);
  CHECK(shape.err == "error: matmul: inner sizes differ\n");
  CHECK(outcome([]() -> int { throw std::bad_alloc(); }).err == "error: out of memory\n");
}

TEST_CASE("help is printed to standard output with exit code 0") {
  const Outcome help = outcome([]() -> int { throw HelpWanted("Options\n"); });
  CHECK(help.code == 0);
  CHECK(help.out == "Options\n");
  CHECK(help.err.empty());
}

TEST_CASE("what could not be printed is an error") {
  const auto unprinted = [](int code) {
    return outcome([=] {
      std::cout.setstate(std::ios::badbit);
      return code;
    });
  };
  CHECK(unprinted(0).code == 1);
  CHECK(unprinted(0).err == "error: standard output could not be written\n");
  CHECK(unprinted(2).code == 2);
}
