#include "tutorials/lesson/whole_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "tutorials/lesson/interrupt.hpp"

namespace attend::lesson {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error(path + ": cannot be written: " + std::strerror(error));
}

}  // namespace

WholeFile::WholeFile(std::string path) : path_(std::move(path)) {
  temporary_ = path_ + "." + std::to_string(getpid()) + ".tmp";  // two programs at once do not meet
  remember_temporary_file(temporary_);
  errno = 0;
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (stream_) return;
  const int error = errno;
  forget_temporary_file(temporary_);
  fail(path_, error);
}

WholeFile::~WholeFile() {
  if (committed_) return;
  stream_.close();
  std::remove(temporary_.c_str());
  forget_temporary_file(temporary_);
}

void WholeFile::commit() {
  errno = 0;
  stream_.close();  // sets failbit when the last bytes cannot be written
  if (!stream_ || std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, errno);
  committed_ = true;
  forget_temporary_file(temporary_);
}

}  // namespace attend::lesson
