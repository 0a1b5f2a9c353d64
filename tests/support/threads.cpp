#include "tests/support/threads.hpp"

#include <doctest/doctest.h>

#include "tests/support/compare.hpp"

namespace attend::test {

void check_threads_change_no_bit(const std::function<Vars()>& train, Size divided, const char* file, int line) {
  const Vars alone = train();
  for (Size count : {2, 3}) {
    const Threads some(count);
    const Size before = divided_calls();
    const bool same = same_bits(train(), alone);
    const Size calls = divided_calls() - before;
    INFO(count, " threads, which have shared ", calls, " calls");
    if (!same) ADD_FAIL_CHECK_AT(file, line, "other bits than with one thread");
    if (calls < divided) ADD_FAIL_CHECK_AT(file, line, "too little of the work is divided");
  }
}

}  // namespace attend::test
