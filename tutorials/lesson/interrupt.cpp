#include "tutorials/lesson/interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "tensor/whole_file.hpp"

namespace attend::lesson {
namespace {

bool standard_output_is_terminal = false;  // asked beforehand

extern "C" void clean_up_and_end(int signal_number) {
  remove_unfinished_files();
  if (standard_output_is_terminal) {
    constexpr char reset[] = "\x1b[0m\n";  // no colour of ours stays, and the prompt gets a line of its own
    [[maybe_unused]] const auto written = write(STDOUT_FILENO, reset, sizeof reset - 1);
  }
  // The signal is ended by its default action, so that the shell sees what happened: a loop around us stops too.
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

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

}  // namespace attend::lesson
