// Runs a chapter's program again, and compares what it prints with the transcripts of the page:
//
//   transcripts PAGE PROGRAM [--short]
//
// Only those that say --quick are repeated; with --short all, for a program that takes no time anyway.
#include <cstdio>
#include <iostream>
#include <map>
#include <stdexcept>

#include "tests/transcripts/transcript.hpp"
#include "tutorials/lesson/data.hpp"

namespace {

std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string output;
  char buffer[4096];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, count);
  pclose(pipe);  // a broken program ends with 1, and shall
  return output;
}

int compare(const std::string& page, const std::string& program, bool is_short) {
  std::map<std::string, std::string> outputs;
  int compared = 0, wrong = 0;
  for (const transcripts::Transcript& transcript : transcripts::transcripts_of(attend::lesson::read_text(page))) {
    if (!is_short && transcript.arguments.find("--quick") == std::string::npos) continue;
    std::string& output = outputs[transcript.arguments];
    if (output.empty()) output = output_of("'" + program + "' " + transcript.arguments + " 2>&1");
    ++compared;
    if (const auto line = first_line_missing(transcript, output)) {
      std::cout << page << ":" << transcript.line << ": the program with '" << transcript.arguments
                << "' does not print, there: " << *line << "\n";
      ++wrong;
    }
  }
  std::cout << compared - wrong << " of " << compared << " transcripts are what the program prints.\n";
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return compare(argv[1], argv[2], argc > 3 && std::string(argv[3]) == "--short");
  } catch (const std::exception& error) {
    std::cerr << "transcripts: " << error.what() << "\n";
    return 1;
  }
}
