#include "tensor/parallel.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/threads.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// What the process ended with that ran `body` and nothing else; −1 where a signal ended it, as it does after 20 s.
int exit_code_of_child(void (*body)()) {
  std::fflush(nullptr);  // or the child would print it once more
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    body();
    _exit(0);
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("every index is worked on once, whatever the counts of threads and grain") {
  for (Size count_of_threads : {1, 2, 3, 5}) {
    const Threads some(count_of_threads);
    CHECK(threads() == count_of_threads);
    for (Size count : {0, 1, 2, 5, 7, 64, 1000}) {
      for (Size grain : {1, 3, 100}) {
        std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count) + 20);
        parallel(count, grain, [&](Size first, Size last) {
          for (Size i = first; i < last; ++i) ++visits[static_cast<std::size_t>(i)];
        });
        bool once = true;
        for (Size i = 0; i < count + 20; ++i) once = once && visits[static_cast<std::size_t>(i)] == (i < count ? 1 : 0);
        INFO(count, " in pieces of ", grain, " by ", count_of_threads);
        CHECK(once);
      }
    }
  }
}

TEST_CASE("a range no larger than the grain is not divided") {
  const Threads two(2);
  std::atomic<int> calls{0};
  parallel(100, 100, [&](Size, Size) { ++calls; });
  CHECK(calls == 1);
}

TEST_CASE("work is really shared by threads") {
  const Threads two(2);
  std::mutex lock;
  std::vector<std::thread::id> who;
  parallel(2, 1, [&](Size, Size) {
    const std::lock_guard<std::mutex> guard(lock);
    who.push_back(std::this_thread::get_id());
  });
  REQUIRE(who.size() == 2);
  CHECK((who[0] != who[1]));
}

TEST_CASE("calls that are divided among threads are counted, and no others") {
  const auto divided = [](Size count, Size grain) {
    const Size before = divided_calls();
    parallel(count, grain, [](Size, Size) {});
    return divided_calls() - before;
  };
  CHECK(divided(2, 1) == 0);  // one thread
  const Threads two(2);
  CHECK(divided(2, 1) == 1);
  CHECK(divided(100, 100) == 0);
  CHECK(divided(101, 100) == 1);
  CHECK(divided(0, 1) == 0);
}

TEST_CASE("a call from inside runs on the thread it comes from") {
  const Threads two(2);
  std::atomic<int> sum{0};
  parallel(4, 1, [&](Size first, Size last) {
    const auto me = std::this_thread::get_id();
    parallel(last - first, 1, [&](Size from, Size to) {
      if (std::this_thread::get_id() == me) sum += static_cast<int>(to - from);
    });
  });
  CHECK(sum == 4);
}

TEST_CASE("several threads may call at once") {
  const Threads two(2);
  const Tensor x = random({300, 300}), expected = kernel::exp(x);
  bool right[3] = {true, true, true};
  std::vector<std::thread> callers;
  for (std::size_t t = 0; t < 3; ++t) {
    callers.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) right[t] = same_bits(kernel::exp(x), expected) && right[t];
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (bool all_right : right) CHECK(all_right);
}

TEST_CASE("less than one thread is refused, and nothing changes") {
  const Threads two(2);
  check_throws_with([] { set_threads(0); }, {"set_threads", "0"});
  check_throws_with([] { set_threads(-3); }, {"set_threads", "-3"});
  CHECK(threads() == 2);
}

TEST_CASE("more threads than any machine has are refused, and nothing changes") {
  const Threads two(2);
  check_throws_with([] { set_threads(1025); }, {"set_threads", "1025", "1024"});
  CHECK(threads() == 2);
}

TEST_CASE("the number of threads may change while another thread computes") {
  const Threads two(2);
  const Tensor x = random({300, 300}), expected = kernel::exp(x);
  std::atomic<bool> stop{false};
  bool right = true;
  std::thread caller([&] {
    while (!stop) right = same_bits(kernel::exp(x), expected) && right;
  });
  for (Size i = 0; i < 300; ++i) set_threads(1 + i % 3);
  stop = true;
  caller.join();
  CHECK(right);
}

TEST_CASE("the number of threads does not change from inside the work, whichever thread does it") {
  const Threads two(2);
  std::atomic<int> refused{0};
  parallel(2, 1, [&](Size, Size) {
    try {
      set_threads(3);
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  });
  CHECK(refused == 2);
  CHECK(threads() == 2);
}

TEST_CASE("what the work throws reaches the caller, whichever thread does it, and the next call is shared again") {
  const Threads two(2);
  for (Size thrower : {0, 1}) {
    CHECK_THROWS_WITH_AS(parallel(2, 1,
                                  [&](Size first, Size) {
                                    if (first == thrower) throw std::runtime_error("no more");
                                  }),
                         "no more", std::runtime_error);
    std::atomic<int> calls{0};
    parallel(2, 1, [&](Size, Size) { ++calls; });
    CHECK(calls == 2);
  }
}

TEST_CASE("a child process, which has none of the workers, works alone, and may have workers of its own (O-57)") {
  const Threads three(3);
  parallel(3, 1, [](Size, Size) {});
  const int code = exit_code_of_child([] {
    std::atomic<int> calls{0}, indices{0};
    const auto work = [&](Size first, Size last) { ++calls, indices += static_cast<int>(last - first); };
    const bool alone = threads() == 1;
    parallel(3, 1, work);
    set_threads(3);
    parallel(3, 1, work);
    _exit(alone && calls == 1 + 3 && indices == 6 ? 0 : 1);
  });
  CHECK(code == 0);
  CHECK(threads() == 3);
}

TEST_CASE("a process may end while another of its threads has work done") {
  const int code = exit_code_of_child([] {
    set_threads(2);
    static std::atomic<int> at_work{0};
    const auto work = [](Size, Size) { ++at_work, std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
    std::thread([work] { parallel(2, 1, work); }).detach();
    while (at_work < 2) std::this_thread::yield();
    std::exit(0);
  });
  CHECK(code == 0);
}
