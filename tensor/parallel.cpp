#include "tensor/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace attend {
namespace {

struct Job {
  void (*work)(void*, Size, Size);
  void* context;
  Size first, last;
};

// A thread that waits for one job at a time. It spins for a while before it sleeps, because jobs come microseconds
// apart.
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
  void wait() const {
    while (state_.load(std::memory_order_acquire) == State::busy) std::this_thread::yield();
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
    for (;;) {
      constexpr int spins = 20000;
      for (int i = 0; i < spins && state_.load(std::memory_order_acquire) == State::idle; ++i) {
      }
      if (state_.load(std::memory_order_acquire) == State::idle) {
        std::unique_lock<std::mutex> guard(lock_);
        changed_.wait(guard, [this] { return state_.load() != State::idle; });
      }
      if (state_.load() == State::stop) return;
      job_.work(job_.context, job_.first, job_.last);
      state_.store(State::idle, std::memory_order_release);
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::atomic<State> state_{State::idle};
  Job job_{};
  std::thread thread_;
};

std::vector<std::unique_ptr<Worker>>& workers() {
  static std::vector<std::unique_ptr<Worker>> helpers;
  return helpers;
}

// Taken by the one call that uses the workers; any other call, from inside a job or from another thread, works alone.
std::atomic_flag workers_taken = ATOMIC_FLAG_INIT;

}  // namespace

void set_threads(Size n) {
  if (n < 1) throw std::invalid_argument("set_threads: " + std::to_string(n) + " threads; at least 1 is needed");
  workers().clear();
  for (Size i = 1; i < n; ++i) workers().push_back(std::make_unique<Worker>());
}

Size threads() { return static_cast<Size>(workers().size()) + 1; }

void parallel_ranges(Size count, Size grain, void (*work)(void*, Size, Size), void* context) {
  if (count <= 0) return;
  const Size parts = std::min(threads(), (count + grain - 1) / grain);
  if (parts <= 1 || workers_taken.test_and_set(std::memory_order_acquire)) {
    work(context, 0, count);
    return;
  }
  const Size share = (count + parts - 1) / parts;
  for (Size i = 1; i < parts; ++i) {
    const Size first = std::min(count, i * share), last = std::min(count, first + share);
    workers()[static_cast<std::size_t>(i - 1)]->start({work, context, first, last});
  }
  work(context, 0, share);
  for (Size i = 1; i < parts; ++i) workers()[static_cast<std::size_t>(i - 1)]->wait();
  workers_taken.clear(std::memory_order_release);
}

}  // namespace attend
