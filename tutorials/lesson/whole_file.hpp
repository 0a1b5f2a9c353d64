#pragma once

#include <fstream>
#include <string>

namespace attend::lesson {

/// A file that is written completely or not at all: what is written goes to a temporary file beside it, and `commit`
/// puts that in its place in one step. Without `commit` (an exception, Ctrl-C) the temporary file goes and what was
/// there before stays.
class WholeFile {
 public:
  /// Throws std::runtime_error when no file can be made in that folder.
  explicit WholeFile(std::string path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Where to write.
  std::ostream& stream() { return stream_; }

  /// Throws std::runtime_error when not everything could be written (a full disk); the old file is then untouched.
  void commit();

 private:
  std::string path_, temporary_;
  std::ofstream stream_;
  bool committed_ = false;
};

}  // namespace attend::lesson
