#include "tutorials/lesson/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>

namespace attend::lesson {
namespace {

// A signal handler may neither allocate nor lock, so the paths stand in plain memory and a flag says which are valid.
struct Slot {
  std::atomic<bool> used{false};
  char path[4096];
};
Slot slots[16];
std::mutex slots_mutex;                    // for the threads of the program; the handler only reads
bool standard_output_is_terminal = false;  // asked beforehand

static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void clean_up_and_end(int signal_number) {
  for (Slot& slot : slots) {
    if (slot.used.load(std::memory_order_acquire)) unlink(slot.path);
  }
  if (standard_output_is_terminal) {
    constexpr char reset[] = "\x1b[0m\n";  // no colour of ours stays, and the prompt gets a line of its own
    [[maybe_unused]] const auto written = write(STDOUT_FILENO, reset, sizeof reset - 1);
  }
  // The signal is ended by its default action, so that the shell sees what happened: a loop around us stops too.
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

/// The folder may change before the signal comes.
std::string absolute(const std::string& path) { return std::filesystem::absolute(path).string(); }

}  // namespace

void end_cleanly_when_interrupted() {
  standard_output_is_terminal = isatty(STDOUT_FILENO) != 0;
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    sigaction(signal_number, nullptr, &now);
    if (now.sa_handler == SIG_IGN) continue;
    struct sigaction ours {};
    ours.sa_handler = clean_up_and_end;
    sigemptyset(&ours.sa_mask);
    sigaction(signal_number, &ours, nullptr);
  }
}

void remember_temporary_file(const std::string& path) {
  const std::string whole = absolute(path);
  if (whole.size() >= sizeof(Slot::path)) throw std::length_error("path too long: " + whole);
  const std::lock_guard<std::mutex> lock(slots_mutex);
  for (Slot& slot : slots) {
    if (slot.used) continue;
    std::memcpy(slot.path, whole.c_str(), whole.size() + 1);
    slot.used.store(true, std::memory_order_release);
    return;
  }
  throw std::length_error("more than 16 temporary files at a time");
}

void forget_temporary_file(const std::string& path) {
  const std::string whole = absolute(path);
  const std::lock_guard<std::mutex> lock(slots_mutex);
  for (Slot& slot : slots) {
    if (slot.used && whole == slot.path) slot.used.store(false, std::memory_order_release);
  }
}

}  // namespace attend::lesson
