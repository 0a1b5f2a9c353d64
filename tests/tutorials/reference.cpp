// tutorials/reference.md names what the headers declare, and nothing else. It is made by `./attend book --reference`,
// with a tool that knows C++; what is compared here is only what the eye sees in the text of a header.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/text.hpp"

using attend::lesson::read_text;
namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

// A declared name on a line of a header: of a type, of an alias, of a function or an operator, or of a member.
void take_name(const std::string& line, Names& names) {
  static const std::regex type(R"(^ *(?:struct|class|enum class) (\w+)(?: (?:final )?[:{].*|)$)");
  static const std::regex alias(R"(^ *using (\w+) = )");
  static const std::regex function(R"(^ *(?:[\w:<>&*, \[\]]+ )?[&*]*(operator(?:\(\)|[^ (]+)|\w+)\()");
  static const std::regex member(R"(^ *[\w:<>&*, ]+ (\w+)(?: = [^;]*|\{[^;]*)?;)");
  static const std::regex statement(
      R"(^ *(?:return|if|for|throw|else|while|visit|friend|static_assert)\b|^ *struct \w+;)");
  std::smatch found;
  if (std::regex_search(line, statement)) return;
  for (const std::regex* kind : {&type, &alias, &function, &member}) {
    if (!std::regex_search(line, found, *kind)) continue;
    names.insert(found[1]);
    return;
  }
}

// What a header offers: at the margin, and in the public part of a type one step from it.
Names declared(const std::string& header) {
  static const std::regex opens_type(R"(^(?:struct|class) \w+.*\{$)"), inner(R"(^namespace detail)");
  Names names;
  bool in_type = false, hidden = false, in_detail = false;
  std::string before;
  for (const std::string& line : attend::lesson::split(header, '\n')) {
    const std::size_t indent = line.find_first_not_of(' ');
    const bool continued = !before.empty() && (before.back() == ',' || before.back() == '(' || before.back() == '=');
    before = line;
    if (indent == std::string::npos || line[indent] == '/' || line[indent] == '#' || continued) continue;
    if (std::regex_search(line, inner)) in_detail = true;
    if (line.rfind("}  // namespace detail", 0) == 0) in_detail = false;
    if (line == " private:" || line == " protected:") hidden = true;
    if (line == " public:" || line[0] == '}') hidden = false;
    if (line[0] == '}') in_type = false;
    const bool visible = !in_detail && !hidden && (indent == 0 || (in_type && indent == 2));
    if (visible && line.find("= delete") == std::string::npos && line.find('~') == std::string::npos) {
      take_name(line, names);
    }
    if (std::regex_search(line, opens_type)) in_type = true;
  }
  return names;
}

// "Var pow(const Var& x, double exponent)" -> "pow"; "struct GRU" -> "GRU"; "Size size" -> "size"
std::string name_of_entry(const std::string& code) {
  static const std::regex alias(R"(^using (\w+) )"), function(R"((operator(?:\(\)|[^ (]+)|\w+)\()"), last(R"((\w+)$)");
  std::smatch found;
  for (const std::regex* kind : {&alias, &function, &last}) {
    if (std::regex_search(code, found, *kind)) return found[1];
  }
  return code;
}

// By header: the names of its section.
std::map<std::string, Names> listed(const std::string& reference) {
  static const std::regex section(R"(^### \[(.+)\]\()"), entry(R"(^ *-   `([^`]+)`)");
  std::map<std::string, Names> names;
  std::string header;
  std::smatch found;
  for (const std::string& line : attend::lesson::split(reference, '\n')) {
    if (std::regex_search(line, found, section)) names[header = found[1]];
    if (std::regex_search(line, found, entry)) names[header].insert(name_of_entry(found[1]));
  }
  return names;
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_letter(text[at - 1]);
    if (begins && (at + word.size() == text.size() || !is_letter(text[at + word.size()]))) return true;
  }
  return false;
}

// What stays inside of tensor/, and is no part of the reference.
bool is_inner(const std::string& header) {
  static const std::regex inner(R"(^tensor/(inner/|kernels/|xtensor\.hpp$))");
  return std::regex_search(header, inner);
}

}  // namespace

TEST_CASE("the reference names all that the headers declare, and nothing that they do not") {
  const std::string root = std::string(ATTEND_SOURCE_DIR) + "/";
  const auto sections = listed(read_text(root + "tutorials/reference.md"));
  std::size_t headers = 0;
  for (const char* folder : {"tensor", "autograd", "nn"}) {
    for (const auto& file : fs::recursive_directory_iterator(root + folder)) {
      const std::string header = fs::relative(file.path(), root).string();
      if (file.path().extension() != ".hpp" || is_inner(header)) continue;
      CAPTURE(header);
      ++headers;
      REQUIRE_MESSAGE(sections.count(header) == 1, "make it anew: ./attend book --reference");
      const std::string text = read_text(file.path().string());
      for (const std::string& name : declared(text)) CHECK_MESSAGE(sections.at(header).count(name) == 1, name);
      for (const std::string& name : sections.at(header)) CHECK_MESSAGE(has_word(text, name), name);
    }
  }
  CHECK(sections.size() == headers);
}

TEST_CASE("the public names of a header are found") {
  const std::string header = R"(
/// struct No
constexpr Size max_rank = 8;
struct Layer : Base {
  Var weight, bias;  // both
  Size count = 0;

  Layer(Size in, Rng& rng) : weight(in) {}
  ~Layer();
  Var operator()(const Var& x,
                 const Var& y) const {
    return x;
  }

 private:
  Size secret() const;
};
Var operator+(const Var& a, const Var& b);
template <class T>
std::vector<T> many(const T& one) {
  int inside = 0;
}
using Shape = Sizes;
enum class Kind { one, two };
namespace detail {
void no();
}  // namespace detail
)";
  CHECK(declared(header) ==
        Names{"max_rank", "Layer", "bias", "count", "operator()", "operator+", "many", "Shape", "Kind"});
}

TEST_CASE("the names of the reference are found") {
  const auto sections = listed(
      "### [nn/a.hpp](../nn/a.hpp)\n-   `struct Layer`: text\n    -   `Var operator()(const Var& x) const`\n"
      "    -   `Size size`: `no`\n-   `using Shape = Sizes`\n-   `const char* text(DType d)`\n");
  CHECK(sections.at("nn/a.hpp") == Names{"Layer", "operator()", "size", "Shape", "text"});
}
