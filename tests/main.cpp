// doctest's main, compiled once and linked into every test program.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

namespace {

// doctest calls a run in which no test case ran a success: a misspelt filter, or a file whose cases were lost,
// would be green for ever. This listener counts them.
unsigned cases_run = 0;

struct CountCases : doctest::IReporter {
  explicit CountCases(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override { cases_run = stats.numTestCasesPassingFilters; }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("count cases", 1, CountCases);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context;
  context.setOption("no-breaks", true);
  context.applyCommandLine(argc, argv);
  const int result = context.run();
  if (context.shouldExit()) return result;  // --help, --list-test-cases and the like run nothing by intent
  if (result == 0 && cases_run == 0) {
    std::fprintf(stderr, "%s: no test case ran. Is the filter misspelt, or is the file empty?\n", argv[0]);
    return 1;
  }
  return result;
}
