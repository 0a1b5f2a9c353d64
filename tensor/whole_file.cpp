#include "tensor/whole_file.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace attend {
namespace {

// A signal handler may neither allocate nor lock, so the paths stand in plain memory and a flag says which are valid.
struct Slot {
  std::atomic<bool> used{false};
  char path[4096];
};
Slot slots[16];
std::mutex slots_mutex;  // for the threads of the program; the handler only reads

static_assert(std::atomic<bool>::is_always_lock_free);

void remember(const std::string& path) {
  if (path.size() >= sizeof(Slot::path)) throw std::runtime_error(path + ": the path is too long");
  const std::lock_guard<std::mutex> lock(slots_mutex);
  for (Slot& slot : slots) {
    if (slot.used) continue;
    std::memcpy(slot.path, path.c_str(), path.size() + 1);
    slot.used.store(true, std::memory_order_release);
    return;
  }
  throw std::runtime_error(path + ": more than 16 files are being written at a time");
}

void forget(const std::string& path) {
  const std::lock_guard<std::mutex> lock(slots_mutex);
  for (Slot& slot : slots) {
    if (slot.used && path == slot.path) slot.used.store(false, std::memory_order_release);
  }
}

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error(path + ": cannot be written: " + std::strerror(error));
}

}  // namespace

void remove_unfinished_files() noexcept {
  for (Slot& slot : slots) {
    if (slot.used.load(std::memory_order_acquire)) unlink(slot.path);
  }
}

WholeFile::WholeFile(std::string path) : path_(std::move(path)) {
  // Two programs at once do not meet, and the working folder may change before a signal comes.
  temporary_ = std::filesystem::absolute(path_ + "." + std::to_string(getpid()) + ".tmp").string();
  remember(temporary_);
  errno = 0;
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (stream_) return;
  const int error = errno;
  forget(temporary_);
  fail(path_, error);
}

WholeFile::~WholeFile() {
  if (committed_) return;
  stream_.close();
  std::remove(temporary_.c_str());
  forget(temporary_);
}

void WholeFile::commit() {
  errno = 0;
  stream_.close();  // sets failbit when the last bytes cannot be written
  if (!stream_ || std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, errno);
  committed_ = true;
  forget(temporary_);
}

}  // namespace attend
