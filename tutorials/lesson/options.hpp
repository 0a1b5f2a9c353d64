#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tutorials/lesson/size.hpp"

/// The command line of a chapter's program.

namespace attend::lesson {

/// One of the names an option can take, with a line that says what it means.
struct Choice {
  std::string name, meaning;
};

/// A way to break the chapter's model on purpose: what changes in the code, and why that matters; both without a full
/// stop.
struct Break {
  std::string name, changes, why;
};

/// How much a run does: a quick check (≤ 10 s), one seed (≤ 90 s), or all seeds of the page (≤ 10 min).
enum class Effort { quick, normal, full };

/// A program as its help names it.
struct Program {
  std::string title;    // "Chapter 03: Additive attention"
  std::string command;  // "./attend run 03"
  std::string quick;    // what --quick does
  std::string full;     // what --full does
};

/// Understands --quick, --full, --seed N, --threads N, --report FILE, --break NAME, --help, and what the chapter adds.
///
///     std::string task = "dates";
///     Options options("03", "Additive attention", {{"no-softmax", "weights = scores", "weights no longer sum to 1"}});
///     options.choice("--task", task, {{"dates", "to ISO form"}, {"names", "English to French"}}, "what to learn");
///     options.parse(argc, argv);
///     if (options.breaks("no-softmax")) …
class Options {
 public:
  Options(const std::string& chapter, const std::string& title, std::vector<Break> breaks = {});
  explicit Options(Program program, std::vector<Break> breaks = {});
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// Options of this chapter. `flag` starts with "--"; the variable holds the default and must outlive `parse`.
  void choice(const std::string& flag, std::string& value, std::vector<Choice> choices, const std::string& help);
  void file(const std::string& flag, std::string& path, const std::string& help);
  void number(const std::string& flag, Size& value, const std::string& help);
  void number(const std::string& flag, double& value, const std::string& help);
  void toggle(const std::string& flag, bool& value, const std::string& help);

  /// Reads the command line. Throws UsageError, which names what exists and the nearest name (or the report that cannot
  /// be written), and HelpWanted for --help; inside `run` both end the program as they should.
  void parse(int argc, const char* const* argv);

  /// Whether the command line names this flag, rather than leaving its variable as it was.
  bool given(const std::string& flag) const;

  Effort effort() const;
  bool quick() const { return effort() == Effort::quick; }
  bool full() const { return effort() == Effort::full; }

  /// --seed, or 1 (other than 0, so that a forgotten seed shows).
  std::uint64_t seed() const;

  /// The seeds of this run: 1 … `with_full` with --full, else the one of --seed.
  std::vector<std::uint64_t> seeds(Size with_full) const;

  /// --threads, or 1: the models of the chapters are small, and threads that wait for each other cost more than they
  /// bring when other programs use the cores.
  Size threads() const;

  /// Was --report FILE given? From `parse` on it keeps what the lesson prints; ask before computing for it alone.
  bool reports() const;

  /// The name given to --break, or "".
  const std::string& broken() const;

  /// Was --break NAME given? Throws std::logic_error for a name this chapter does not list.
  bool breaks(const std::string& name) const;

  /// One line on the break in force, to be printed before anything else; "" without one.
  std::string break_notice() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace attend::lesson
