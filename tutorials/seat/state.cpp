#include "tutorials/seat/state.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "tensor/whole_file.hpp"
#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::seat {

namespace fs = std::filesystem;

namespace {

const std::string first_line = "attend state 1";
const std::array<std::string, 4> standings{"untouched", "tried", "solved", "given up"};

using Cells = std::vector<std::string>;

// A line that this program does not write.
struct Malformed {};

Size number(const std::string& text) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) throw Malformed();
  return std::stoi(text);
}

Standing standing(const std::string& text) {
  const auto found = std::find(standings.begin(), standings.end(), text);
  if (found == standings.end()) throw Malformed();
  return static_cast<Standing>(found - standings.begin());
}

void take(const Cells& cells, State& state) {
  const std::string& kind = cells[0];
  if (kind == "at" && cells.size() == 2) {
    state.at = cells[1];
  } else if (kind == "ran" && cells.size() == 2) {
    state.ran.insert(cells[1]);
  } else if (kind == "exercise" && cells.size() == 5) {
    state.exercises[cells[1]] = {standing(cells[2]), number(cells[3]), cells[4]};
  } else if (kind == "quiz" && cells.size() == 4) {
    state.quizzes[cells[1]] = {number(cells[2]), number(cells[3])};
  } else {
    throw Malformed();
  }
}

State parse(const std::string& text) {
  std::vector<std::string> lines = lesson::split(text, '\n');
  if (lines.size() < 3 || lines[0] != first_line || !lines.back().empty()) throw Malformed();
  State state;
  const std::size_t last = lines.size() - 2;
  for (std::size_t i = 1; i < last; ++i) take(lesson::split(lines[i], '\t'), state);
  const Cells end = lesson::split(lines[last], '\t');
  if (end.size() != 2 || end[0] != "end" || number(end[1]) != static_cast<Size>(last - 1)) throw Malformed();
  return state;
}

std::string put_aside(const std::string& path) {
  for (int i = 1; i < 1000; ++i) {
    const std::string aside = path + "." + std::to_string(i);
    if (fs::exists(aside)) continue;
    fs::rename(path, aside);
    return aside;
  }
  throw std::runtime_error(path + ": there are 999 old files of it; remove some");
}

}  // namespace

Attempted State::of(const std::string& exercise) const {
  const auto found = exercises.find(exercise);
  return found == exercises.end() ? Attempted() : found->second;
}

bool State::finished(const std::string& exercise) const {
  const Standing standing = of(exercise).standing;
  return standing == Standing::solved || standing == Standing::given_up;
}

State read_state(const std::string& path, std::string& notice) {
  if (!fs::exists(path)) return {};
  try {
    // What is no file, such as /dev/null, must not be put aside.
    if (!fs::is_regular_file(path)) throw lesson::DataError(path, 0, "is no file. Move it away, and a new one is made");
    return parse(lesson::read_bytes(path));
  } catch (const Malformed&) {
    const std::string aside = put_aside(path);
    notice = path + " is of another version of attend, or was cut short. It is kept as " + aside +
             ", and the board begins anew.";
    return {};
  }
}

void write_state(const std::string& path, const State& state) {
  std::vector<std::string> lines;
  if (!state.at.empty()) lines.push_back("at\t" + state.at);
  for (const std::string& chapter : state.ran) lines.push_back("ran\t" + chapter);
  for (const auto& [id, one] : state.exercises) {
    lines.push_back("exercise\t" + id + "\t" + standings[static_cast<std::size_t>(one.standing)] + "\t" +
                    std::to_string(one.hints) + "\t" + one.fingerprint);
  }
  for (const auto& [chapter, score] : state.quizzes) {
    lines.push_back("quiz\t" + chapter + "\t" + std::to_string(score.right) + "\t" + std::to_string(score.asked));
  }
  std::error_code problem;
  fs::create_directories(fs::absolute(path).parent_path(), problem);
  if (problem) throw std::runtime_error(path + ": cannot be written: " + problem.message());
  WholeFile file(path);
  file.stream() << first_line << "\n";
  for (const std::string& line : lines) file.stream() << line << "\n";
  file.stream() << "end\t" << lines.size() << "\n";
  file.commit();
}

std::string fingerprint(const std::string& path) {
  std::string bytes;
  try {
    bytes = lesson::read_bytes(path);
  } catch (const lesson::DataError&) {
    return "";
  }
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  std::ostringstream text;
  text << std::hex << hash;
  return text.str();
}

}  // namespace attend::seat
