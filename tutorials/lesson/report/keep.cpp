#include "tutorials/lesson/report/keep.hpp"

#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>

#include "tensor/whole_file.hpp"
#include "tutorials/lesson/errors.hpp"

namespace attend::lesson {
namespace {

struct Kept {
  std::string path;
  Report report;
};

/// There is one standard screen, and so one report of it.
std::unique_ptr<Kept> kept;

}  // namespace

void start_report(const std::string& path, const RunOf& run) {
  try {
    check_writable(path);
  } catch (const std::runtime_error& error) {
    throw UsageError(std::string("--report: ") + error.what());
  }
  kept = std::make_unique<Kept>(Kept{path, Report(run)});
  keep_standard_screen(&kept->report);
}

void finish_report(int exit_code) {
  if (!kept) return;
  keep_standard_screen(nullptr);
  WholeFile file(kept->path);
  file.stream() << kept->report.page(exit_code);
  file.commit();
  const std::string path = std::filesystem::absolute(kept->path).string();
  *standard_screen().out << "\nReport, for a browser: " << path << "\n" << std::flush;
  kept.reset();
}

}  // namespace attend::lesson
