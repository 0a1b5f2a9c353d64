// Files that are written completely or not at all.
#pragma once
#include <fstream>
#include <string>

namespace attend {

/// What is written goes to a temporary file beside the one that is wanted, and `commit` puts it in its place in one step.
/// Without `commit` (an exception, say) the temporary file goes and what was there before stays.
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

/// Removes the temporary files of all WholeFiles that are open, for a program that is about to be ended by a signal: it
/// may be called from a signal handler.
void remove_unfinished_files() noexcept;

}  // namespace attend
