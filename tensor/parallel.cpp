#include "tensor/parallel.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace attend {
namespace {

// Whether this thread is inside the work of a parallel call.
thread_local bool working = false;

struct Job {
  void (*work)(void*, Size, Size);
  void* context;
  Size first, last;
};

// A thread that waits for one job at a time. To wake one that sleeps takes some 50 µs, longer than many a job does; so
// it stays awake for a while after each, and gives way to any other thread meanwhile: a busy machine loses little.
class Worker {
 public:
  Worker() : thread_([this] { loop(); }) {}
  ~Worker() {
    wake(State::stop);
    thread_.join();
  }
  void start(const Job& job) {
    job_ = job;
    wake(State::busy);
  }
  // What the work threw, if anything.
  std::exception_ptr wait() {
    while (state_.load(std::memory_order_acquire) == State::busy) std::this_thread::yield();
    return std::exchange(failure_, nullptr);
  }

 private:
  enum class State { idle, busy, stop };

  void wake(State state) {
    {
      std::lock_guard<std::mutex> guard(lock_);
      state_.store(state, std::memory_order_release);
    }
    changed_.notify_one();
  }
  void loop() {
    working = true;
    while (next() != State::stop) {
      try {
        job_.work(job_.context, job_.first, job_.last);
      } catch (...) {
        failure_ = std::current_exception();
      }
      state_.store(State::idle, std::memory_order_release);
    }
  }
  State next() {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds awake(2);
    const Clock::time_point until = Clock::now() + awake;
    while (state_.load(std::memory_order_acquire) == State::idle && Clock::now() < until) std::this_thread::yield();
    if (state_.load(std::memory_order_acquire) == State::idle) {
      std::unique_lock<std::mutex> guard(lock_);
      changed_.wait(guard, [this] { return state_.load() != State::idle; });
    }
    return state_.load();
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::atomic<State> state_{State::idle};
  Job job_{};
  std::exception_ptr failure_;
  std::thread thread_;
};

using Workers = std::vector<std::unique_ptr<Worker>>;
Workers& workers() {
  static Workers* const never_destroyed = new Workers;  // a process may end while its threads compute
  return *never_destroyed;
}
std::atomic<Size> thread_count{1}, calls_divided{0};

// Taken by the one call that uses the workers, or changes them; any other call, from inside a job or from another
// thread, works alone.
std::atomic_flag workers_taken = ATOMIC_FLAG_INIT;

// For a child process, which has of all threads only the one that forked: it works alone. The workers stay in memory,
// for they have no threads that could be joined.
void forget_workers() {
  for (std::unique_ptr<Worker>& worker : workers()) static_cast<void>(worker.release());
  workers().clear();
  thread_count = 1;
  workers_taken.clear(std::memory_order_release);
}

void forget_workers_in_children() {
  static const int noted = pthread_atfork(nullptr, nullptr, forget_workers);
  static_cast<void>(noted);
}

Workers new_workers(Size n) {
  Workers made;
  try {
    for (Size i = 1; i < n; ++i) made.push_back(std::make_unique<Worker>());
  } catch (const std::system_error&) {
    throw std::invalid_argument("set_threads: " + std::to_string(n) +
                                " threads are more than this system gives; only " + std::to_string(made.size() + 1) +
                                " were to be had");
  }
  return made;
}

}  // namespace

void set_threads(Size n) {
  constexpr Size most = 1024;
  if (n < 1) throw std::invalid_argument("set_threads: " + std::to_string(n) + " threads; at least 1 is needed");
  if (n > most) {
    throw std::invalid_argument("set_threads: " + std::to_string(n) + " threads; at most " + std::to_string(most) +
                                " are possible");
  }
  if (working) {
    throw std::invalid_argument("set_threads: " + std::to_string(n) +
                                " threads, from inside the work that the threads are doing; call it before or after");
  }
  forget_workers_in_children();
  Workers made = new_workers(n);
  while (workers_taken.test_and_set(std::memory_order_acquire)) std::this_thread::yield();  // a kernel ends first
  workers().swap(made);
  thread_count = n;
  workers_taken.clear(std::memory_order_release);
}

Size threads() { return thread_count; }
Size divided_calls() { return calls_divided; }

void parallel_ranges(Size count, Size grain, void (*work)(void*, Size, Size), void* context) {
  if (count <= 0) return;
  const Size most = (count + grain - 1) / grain;
  if (most <= 1 || threads() <= 1 || workers_taken.test_and_set(std::memory_order_acquire)) {
    work(context, 0, count);
    return;
  }
  Workers& helpers = workers();  // as many as there are now: `threads` may have changed since it was asked
  const Size parts = std::min(static_cast<Size>(helpers.size()) + 1, most), share = (count + parts - 1) / parts;
  calls_divided += parts > 1;
  for (Size i = 1; i < parts; ++i) {
    const Size first = std::min(count, i * share), last = std::min(count, first + share);
    helpers[static_cast<std::size_t>(i - 1)]->start({work, context, first, last});
  }
  std::exception_ptr failure;
  working = true;
  try {
    work(context, 0, share);
  } catch (...) {
    failure = std::current_exception();
  }
  working = false;
  for (Size i = 1; i < parts; ++i) {  // all have ended before anything is thrown: they use the context
    const std::exception_ptr other = helpers[static_cast<std::size_t>(i - 1)]->wait();
    if (!failure) failure = other;
  }
  workers_taken.clear(std::memory_order_release);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace attend
