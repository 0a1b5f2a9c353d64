#include "tests/transcripts/transcript.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "tutorials/lesson/text.hpp"

namespace transcripts {
namespace {

using attend::lesson::begins;
using attend::lesson::decode;
using attend::lesson::encode;

// ---- comparing what is printed ----

enum class Kind { word, number, drawing };

struct Token {
  Kind kind;
  std::string text;
  Size line;  // that it stands on
};

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

/// Bars, shades and rules: box and block elements, and the dot of the lowest shade.
bool is_drawing(char32_t c) { return (c >= U'\u2500' && c <= U'\u259F') || c == U'·'; }

Kind kind_of(char32_t c) {
  if (is_drawing(c)) return Kind::drawing;
  return is_digit(c) ? Kind::number : Kind::word;
}

/// Where the token that begins at `begin` ends. A number is 8,192 or 0.46 or 1.3e-14.
Size end_of_token(const std::u32string& line, Size begin) {
  const Kind kind = kind_of(line[begin]);
  const auto at = [&](Size i) { return i < static_cast<Size>(line.size()) ? line[i] : U' '; };
  Size end = begin + 1;
  while (at(end) != U' ') {
    if (kind == Kind::number) {
      const bool joined = (at(end) == U'.' || at(end) == U',') && is_digit(at(end + 1));
      const bool sign = (at(end) == U'-' || at(end) == U'+') && at(end - 1) == U'e';
      const bool exponent = at(end) == U'e' && (at(end + 1) == U'-' || at(end + 1) == U'+');
      if (!is_digit(at(end)) && !joined && !sign && !exponent) break;
    } else if (kind_of(at(end)) != kind) {
      break;
    }
    ++end;
  }
  return end;
}

std::vector<Token> tokens_of(const std::vector<std::string>& lines) {
  std::vector<Token> tokens;
  for (Size number = 0; number < static_cast<Size>(lines.size()); ++number) {
    const std::u32string line = decode(lines[number]);
    for (Size i = 0; i < static_cast<Size>(line.size());) {
      if (line[i] == U' ') {
        ++i;
        continue;
      }
      const Size end = end_of_token(line, i);
      tokens.push_back({kind_of(line[i]), encode(line.substr(i, end - i)), number});
      i = end;
    }
  }
  return tokens;
}

bool about_equal(const std::string& a, const std::string& b) {
  const std::string measured = ".e";
  if (a.find_first_of(measured) == std::string::npos && b.find_first_of(measured) == std::string::npos) return false;
  const double x = std::stod(a), y = std::stod(b);
  const double larger = std::max(std::abs(x), std::abs(y));
  return larger < 1e-9 || std::abs(x - y) <= 0.02 * larger;
}

bool same(const Token& a, const Token& b) {
  if (a.kind != b.kind) return false;
  return a.kind == Kind::drawing || a.text == b.text || (a.kind == Kind::number && about_equal(a.text, b.text));
}

/// Where output[...] goes on as wanted[from .. to] do, and where that ends; else the number that went furthest.
struct Place {
  bool found = false;
  Size end = 0;      // in the output
  Size reached = 0;  // in what is wanted
};

Place find(const std::vector<Token>& wanted, Size from, Size to, const std::vector<Token>& output, Size start) {
  Place place;
  place.reached = from;
  for (Size i = start; i < static_cast<Size>(output.size()); ++i) {
    Size k = from;
    while (k < to && i + k - from < static_cast<Size>(output.size()) && same(wanted[k], output[i + k - from])) ++k;
    place.reached = std::max(place.reached, k);
    if (k == to) return {true, i + to - from, to};
  }
  return place;
}

std::vector<std::string> lines_of(const std::string& text) { return attend::lesson::split(text, '\n'); }

/// "exact: 0.992 (at least 0.99)" -> "exact"; a claim without figures stays.
std::string without_figures(const std::string& claim) {
  static const std::regex figures(R"(: [^:]*\((?:below|at least|at most|[-0-9.e+]+[^ ]* to) ?[^)]*\)$)");
  return std::regex_replace(claim, figures, "");
}

}  // namespace

std::vector<Transcript> transcripts_of(const std::string& page) {
  static const std::regex mark(R"(^<!-- run: .*\./attend (?:run [0-9]+|variants) ?(.*) -->$)");
  std::vector<Transcript> all;
  bool inside = false, fenced = false;
  Size number = 0;
  for (const std::string& line : lines_of(page)) {
    ++number;
    std::smatch parts;
    if (begins(line, "<!-- run: ")) {
      if (inside || !std::regex_match(line, parts, mark)) {
        throw std::invalid_argument("line " + std::to_string(number) + ": no such mark of a transcript: " + line);
      }
      all.push_back({number, parts[1], {}});
      inside = true;
    } else if (line == "<!-- /run -->") {
      inside = false;
    } else if (inside && begins(line, "```")) {
      fenced = !fenced;
    } else if (inside && fenced) {
      all.back().lines.push_back(line);
    }
  }
  if (inside) throw std::invalid_argument("line " + std::to_string(all.back().line) + ": the transcript has no end");
  return all;
}

std::optional<std::string> first_line_missing(const Transcript& transcript, const std::string& output) {
  const std::vector<Token> wanted = tokens_of(transcript.lines), have = tokens_of(lines_of(output));
  Size after = 0;
  for (Size from = 0; from < static_cast<Size>(wanted.size());) {
    Size to = from;
    while (to < static_cast<Size>(wanted.size()) && wanted[to].text != "...") ++to;
    const Place place = find(wanted, from, to, have, after);
    if (!place.found) return transcript.lines[wanted[place.reached].line];
    after = place.end;
    from = to + 1;
  }
  return std::nullopt;
}

std::vector<std::string> claims_of(const Transcript& transcript) {
  static const std::regex broken("^[0-9]+ of [0-9]+ claims do(?:es)? not hold:$");
  std::vector<std::string> claims;
  bool continued = false, listed = false;
  for (const std::string& line : transcript.lines) {
    const bool indented = begins(line, "  ");
    if (begins(line, "✓ ") || begins(line, "✗ ")) {
      claims.push_back(line.substr(line.find(' ') + 1));
      continued = true;
    } else if (indented && listed && !begins(line, "    ")) {
      claims.push_back(line.substr(2));
    } else if (indented && listed) {
      claims.back() += line.substr(3);
    } else if (indented && continued) {
      claims.back() += line.substr(1);
    } else {
      continued = false;
      listed = std::regex_match(line, broken);
    }
  }
  std::transform(claims.begin(), claims.end(), claims.begin(), without_figures);
  return claims;
}

std::vector<std::string> strings_of(const std::string& source) {
  static const std::regex between(R"re("\s*\n?\s*")re"), quoted(R"re("((?:[^"\\]|\\.)*)")re");
  const std::string joined = std::regex_replace(source, between, "");
  std::vector<std::string> strings;
  for (std::sregex_iterator it(joined.begin(), joined.end(), quoted), end; it != end; ++it) {
    const std::string text = (*it)[1];
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t hole = std::min(text.find("{}", from), text.size());
      strings.push_back(text.substr(from, hole - from));
      from = hole + 2;
    }
  }
  return strings;
}

bool may_be_said(const std::string& claim, const std::vector<std::string>& strings) {
  static const std::regex separator("[,:] ");
  const auto said = [&](const std::string& words) {
    return std::any_of(strings.begin(), strings.end(),
                       [&](const std::string& text) { return text.find(words) != std::string::npos; });
  };
  const auto has_digit = [](const std::string& word) { return std::any_of(word.begin(), word.end(), ::isdigit); };
  for (std::sregex_token_iterator part(claim.begin(), claim.end(), separator, -1), end; part != end; ++part) {
    if (said(*part)) continue;
    std::string words;
    for (const std::string& word : attend::lesson::split(part->str(), ' ')) {
      if (!has_digit(word)) {
        words += (words.empty() ? "" : " ") + word;
      } else {
        if (!said(words)) return false;
        words.clear();
      }
    }
    if (!said(words)) return false;
  }
  return true;
}

}  // namespace transcripts
