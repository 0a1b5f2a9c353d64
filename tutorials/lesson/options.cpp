#include "tutorials/lesson/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/nearest.hpp"
#include "tutorials/lesson/report/keep.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

constexpr Size help_width = 80;

/// "  name   text, wrapped beside it" for every entry.
std::string listing(const std::vector<Choice>& entries) {
  Size width = 0;
  for (const Choice& entry : entries) width = std::max(width, columns(entry.name));
  std::string text;
  for (const Choice& entry : entries) {
    std::string label = entry.name;
    for (const std::string& line : wrap(entry.meaning, help_width - width - 4)) {
      text += "  " + pad_right(label, width) + "  " + line + "\n";
      label.clear();
    }
  }
  return text;
}

std::vector<std::string> names_of(const std::vector<Choice>& choices) {
  std::vector<std::string> names;
  for (const Choice& choice : choices) names.push_back(choice.name);
  return names;
}

constexpr std::uint64_t largest_of_all = UINT64_MAX, most_threads = 1024;

/// A whole number from `smallest` to `largest`, or UsageError. CLI11 would take "1.5" or "-1" for some types.
std::uint64_t whole_number(const std::string& flag, const std::string& text, std::uint64_t smallest,
                           std::uint64_t largest = largest_of_all) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  try {
    if (digits && std::stoull(text) >= smallest && std::stoull(text) <= largest) return std::stoull(text);
  } catch (const std::out_of_range&) {
    // Said below, like every other text that is no such number.
  }
  const std::string most = largest == largest_of_all ? "" : " and at most " + std::to_string(largest);
  throw UsageError(flag + " wants a whole number of at least " + std::to_string(smallest) + most + ", not '" +
                   printable(text) + "'");
}

/// A word as a shell must be given it.
std::string shell_word(const std::string& word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string("-_./=+:,@%").find(static_cast<char>(c)) != std::string::npos;
  });
  if (plain && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

/// What runs the program again with the same arguments.
std::string command_again(const std::string& command, int argc, const char* const* argv) {
  std::string text = command;
  for (int i = 1; i < argc; ++i) text += " " + shell_word(argv[i]);
  return text;
}

}  // namespace

struct Options::Parser {
  struct Choosing {
    std::string flag;
    std::string* value;
    std::vector<Choice> choices;
  };

  Program program;
  std::vector<Break> breaks;
  std::vector<Choosing> choosing;
  std::vector<std::pair<std::string, std::string*>> files;  // flag and path
  std::vector<Choice> flags;                                // every flag with its line of help, in the order of --help
  CLI::App app;

  bool quick = false, full = false, help = false;
  std::string seed_text = "1", threads_text, broken, report;
  std::uint64_t seed = 1;
  Size threads = 1;

  std::vector<std::string> flag_names() const {
    std::vector<std::string> names;
    for (const Choice& flag : flags) names.push_back(flag.name.substr(0, flag.name.find(' ')));
    return names;
  }

  std::vector<Choice> break_lines() const {
    std::vector<Choice> lines;
    for (const Break& one : breaks) lines.push_back({one.name, one.changes + ": " + one.why});
    return lines;
  }

  void check_choice(const std::string& kind, const std::string& name, const std::vector<Choice>& choices) const {
    const std::vector<std::string> names = names_of(choices);
    if (std::find(names.begin(), names.end(), name) == names.end()) throw UsageError(unknown_name(kind, name, names));
  }

  std::string help_text() const;
  void read(int argc, const char* const* argv);
};

std::string Options::Parser::help_text() const {
  std::string text = program.title + "\n\nOptions\n" + listing(flags);
  for (const Choosing& option : choosing) text += "\n" + option.flag + "\n" + listing(option.choices);
  if (!breaks.empty()) text += "\n--break: what changes, and why\n" + listing(break_lines());
  const std::string example = breaks.empty() ? "--quick" : "--break " + breaks.front().name;
  return text + "\nExample\n  " + program.command + " " + example + "\n";
}

void Options::Parser::read(int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();  // "--seed: 1 required TEXT missing"
    throw UsageError(text.substr(0, text.find(':')) + " wants exactly one value");
  } catch (const CLI::ConversionError& error) {
    const std::string text = error.what();  // "Could not convert: --hidden = many"
    throw UsageError("not a number: " + printable(text.substr(text.find(':') + 2)));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

Options::Options(const std::string& chapter, const std::string& title, std::vector<Break> breaks)
    : Options(
          Program{"Chapter " + chapter + ": " + title, "./attend run " + chapter,
                  "check the chapter's identities in a few seconds", "run all seeds of the page and write results.tsv"},
          std::move(breaks)) {}

Options::Options(Program program, std::vector<Break> breaks) : parser_(std::make_unique<Parser>()) {
  Parser& p = *parser_;
  p.program = std::move(program);
  p.breaks = std::move(breaks);
  p.app.set_help_flag();  // ours is printed instead
  p.app.allow_extras();   // so that unknown flags can be answered with the nearest one
  toggle("--quick", p.quick, p.program.quick);
  toggle("--full", p.full, p.program.full);
  p.app.add_option("--seed", p.seed_text);
  p.flags.push_back({"--seed N", "start of the random numbers (1)"});
  p.app.add_option("--threads", p.threads_text);
  p.flags.push_back({"--threads N", "threads to compute with (1); the numbers do not depend on it"});
  file("--report", p.report, "write a page with all that is shown to this HTML file");
  if (!p.breaks.empty()) {
    p.app.add_option("--break", p.broken);
    p.flags.push_back({"--break NAME", "break the model on purpose; the names are below"});
  }
  p.app.add_flag("-h,--help", p.help);
  p.flags.push_back({"--help", "print this"});
}

Options::~Options() = default;

void Options::choice(const std::string& flag, std::string& value, std::vector<Choice> choices,
                     const std::string& help) {
  parser_->app.add_option(flag, value);
  parser_->flags.push_back({flag + " NAME", help + " (" + value + ")"});
  parser_->choosing.push_back({flag, &value, std::move(choices)});
}

void Options::file(const std::string& flag, std::string& path, const std::string& help) {
  parser_->app.add_option(flag, path);
  parser_->files.emplace_back(flag, &path);
  parser_->flags.push_back({flag + " FILE", help});
}

void Options::number(const std::string& flag, Size& value, const std::string& help) {
  parser_->app.add_option(flag, value);
  parser_->flags.push_back({flag + " N", help + " (" + std::to_string(value) + ")"});
}

void Options::number(const std::string& flag, double& value, const std::string& help) {
  parser_->app.add_option(flag, value);
  parser_->flags.push_back({flag + " X", help});
}

void Options::toggle(const std::string& flag, bool& value, const std::string& help) {
  parser_->app.add_flag(flag, value);
  parser_->flags.push_back({flag, help});
}

void Options::parse(int argc, const char* const* argv) {
  Parser& p = *parser_;
  p.read(argc, argv);
  if (p.help) throw HelpWanted(p.help_text());
  for (const std::string& extra : p.app.remaining()) {
    const std::string name = extra.substr(0, extra.find('='));
    throw UsageError(unknown_name(begins(name, "-") ? "option" : "argument", name, p.flag_names()));
  }
  if (p.quick && p.full) throw UsageError("--quick and --full exclude each other");
  if (p.full && !p.broken.empty()) {
    throw UsageError("--full and --break exclude each other: results.tsv is of the model as the page describes it");
  }
  for (const auto& [flag, path] : p.files) {
    if (p.app.count(flag) > 0 && path->empty()) throw UsageError(flag + " wants the name of a file, not ''");
  }
  for (const auto& option : p.choosing) p.check_choice(option.flag, *option.value, option.choices);
  if (!p.broken.empty()) p.check_choice("--break", p.broken, p.break_lines());

  p.seed = whole_number("--seed", p.seed_text, 0);
  const bool given = !p.threads_text.empty();
  p.threads = given ? static_cast<Size>(whole_number("--threads", p.threads_text, 1, most_threads)) : 1;
  start_report(p.report, {p.program.title, command_again(p.program.command, argc, argv)});
}

bool Options::given(const std::string& flag) const { return parser_->app.count(flag) > 0; }

Effort Options::effort() const {
  return parser_->quick ? Effort::quick : parser_->full ? Effort::full : Effort::normal;
}

std::uint64_t Options::seed() const { return parser_->seed; }

std::vector<std::uint64_t> Options::seeds(Size with_full) const {
  if (!full()) return {seed()};
  std::vector<std::uint64_t> all(static_cast<std::size_t>(with_full));
  std::iota(all.begin(), all.end(), 1);
  return all;
}
Size Options::threads() const { return parser_->threads; }
bool Options::reports() const { return !parser_->report.empty(); }
const std::string& Options::broken() const { return parser_->broken; }

bool Options::breaks(const std::string& name) const {
  const auto named = [&](const Break& one) { return one.name == name; };
  if (std::none_of(parser_->breaks.begin(), parser_->breaks.end(), named)) {
    throw std::logic_error("Options: this chapter lists no break '" + name + "'");
  }
  return parser_->broken == name;
}

std::string Options::break_notice() const {
  for (const Break& one : parser_->breaks) {
    if (one.name != parser_->broken) continue;
    std::string why = one.why;
    if (!why.empty()) why[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(why[0])));
    return "Broken on purpose (" + one.name + "): " + one.changes + ". " + why + ".";
  }
  return "";
}

}  // namespace attend::lesson
