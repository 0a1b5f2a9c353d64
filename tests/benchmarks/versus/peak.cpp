#include "tests/benchmarks/versus/peak.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace versus {
namespace {

double largest_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

double peak_bytes(const std::function<std::function<void()>()>& prepare, const std::function<void()>& warm_up) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("peak_bytes: there is no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("peak_bytes: there is no child process");
  if (child == 0) {
    const auto step = prepare();
    warm_up();  // what a library sets up once, buffers of the BLAS among it, belongs to no step
    const double before = largest_resident_bytes();
    step();
    const double peak = largest_resident_bytes() - before;
    const bool told = write(ends[1], &peak, sizeof peak) == sizeof peak;
    _exit(told ? 0 : 1);
  }
  double peak = 0;
  const bool told = read(ends[0], &peak, sizeof peak) == sizeof peak;
  close(ends[0]), close(ends[1]);
  waitpid(child, nullptr, 0);
  if (!told) throw std::runtime_error("peak_bytes: the child process has ended early");
  return peak;
}

}  // namespace versus
