#include "tutorials/lesson/report/keep.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>

#include "tensor/whole_file.hpp"
#include "tutorials/lesson/errors.hpp"

namespace attend::lesson {
namespace {

struct Kept {
  std::string path, record_path;  // "": not wanted
  Report report;
};

/// There is one standard screen, and so one report of it.
std::unique_ptr<Kept> kept;

void check_wanted(const std::string& path, const std::string& asked_by) {
  if (path.empty()) return;
  try {
    check_writable(path);
  } catch (const std::runtime_error& error) {
    throw UsageError(asked_by + ": " + error.what());
  }
}

}  // namespace

void start_report(const std::string& path, const RunOf& run) {
  const char* named = std::getenv("ATTEND_RECORD");
  const std::string record_path = named == nullptr ? "" : named;
  if (path.empty() && record_path.empty()) return;
  check_wanted(path, "--report");
  check_wanted(record_path, "ATTEND_RECORD");
  kept = std::make_unique<Kept>(Kept{path, record_path, Report(run)});
  keep_standard_screen(&kept->report);
}

void finish_report(int exit_code) {
  if (!kept) return;
  keep_standard_screen(nullptr);
  const std::unique_ptr<Kept> done = std::move(kept);
  if (!done->record_path.empty()) write_record(done->record_path, done->report.record(exit_code));
  if (done->path.empty()) return;
  WholeFile file(done->path);
  file.stream() << done->report.page(exit_code);
  file.commit();
  const std::string path = std::filesystem::absolute(done->path).string();
  *standard_screen().out << "\nReport, for a browser: " << path << "\n" << std::flush;
}

}  // namespace attend::lesson
