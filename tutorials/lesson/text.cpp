#include "tutorials/lesson/text.hpp"

#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <stdexcept>

namespace attend::lesson {
namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr char32_t zero_width_joiner = 0x200D;

struct Decoded {
  char32_t code_point;
  Size bytes;
  bool valid;
};

/// The code point that starts at `offset`; an invalid byte decodes to U+FFFD and counts as one byte.
Decoded decode_at(std::string_view text, Size offset) {
  const Decoded invalid{replacement, 1, false};
  const auto byte = [&](Size i) { return static_cast<unsigned char>(text[static_cast<std::size_t>(i)]); };
  const unsigned char lead = byte(offset);
  if (lead < 0x80) return {lead, 1, true};

  const Size length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  const bool is_lead = lead >= 0xC2 && lead <= 0xF4;  // C0 and C1 could only start an overlong form
  if (!is_lead || offset + length > size_of(text)) return invalid;

  char32_t code_point = lead & (0x7Fu >> length);
  for (Size i = 1; i < length; ++i) {
    if ((byte(offset + i) & 0xC0) != 0x80) return invalid;
    code_point = (code_point << 6) | (byte(offset + i) & 0x3Fu);
  }
  const char32_t smallest = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < smallest || surrogate || code_point > 0x10FFFF) return invalid;
  return {code_point, length, true};
}

/// Makes this thread's character functions speak UTF-8 for one scope, whatever locale the program runs in.
class Utf8Scope {
 public:
  Utf8Scope() {
    static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (utf8 != nullptr) previous_ = uselocale(utf8);
  }
  ~Utf8Scope() {
    if (previous_ != nullptr) uselocale(previous_);
  }
  Utf8Scope(const Utf8Scope&) = delete;
  Utf8Scope& operator=(const Utf8Scope&) = delete;

 private:
  locale_t previous_ = nullptr;
};

/// Columns of one code point; call it inside a Utf8Scope. The C library knows the Unicode tables; what it does not know
/// in the blocks of pictographs is an emoji younger than the library, and those are wide.
Size width_of(char32_t code_point) {
  const int width = wcwidth(static_cast<wchar_t>(code_point));
  if (width >= 0) return width;
  const bool new_emoji = code_point >= 0x1F300 && code_point <= 0x1FAFF;
  return new_emoji ? 2 : 1;
}

/// Calls `body(code point, offset, bytes)` for every code point.
template <class Body>
void each_code_point(std::string_view text, Body body) {
  for (Size offset = 0; offset < size_of(text);) {
    const Decoded next = decode_at(text, offset);
    body(next.code_point, offset, next.bytes);
    offset += next.bytes;
  }
}

void append_utf8(std::string& out, char32_t c) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80u | ((c >> shift) & 0x3Fu)); };
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = replacement;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0u | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0u | (c >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0u | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

std::optional<Size> first_invalid_byte(std::string_view text) {
  for (Size offset = 0; offset < size_of(text);) {
    const Decoded next = decode_at(text, offset);
    if (!next.valid) return offset;
    offset += next.bytes;
  }
  return std::nullopt;
}

std::u32string decode(std::string_view text) {
  if (const auto offset = first_invalid_byte(text)) {
    throw std::invalid_argument("decode: invalid UTF-8 at byte " + std::to_string(*offset));
  }
  std::u32string code_points;
  each_code_point(text, [&](char32_t c, Size, Size) { code_points += c; });
  return code_points;
}

std::string encode(std::u32string_view code_points) {
  std::string text;
  for (const char32_t c : code_points) append_utf8(text, c);
  return text;
}

std::vector<std::string> characters(std::string_view text) {
  const Utf8Scope utf8;
  std::vector<std::string> result;
  bool joins_next = false;
  each_code_point(text, [&](char32_t c, Size, Size) {
    const bool combines = c >= 0x80 && width_of(c) == 0;
    if (result.empty() || !(combines || joins_next)) result.emplace_back();
    append_utf8(result.back(), c);
    joins_next = c == zero_width_joiner;
  });
  return result;
}

Size columns(std::string_view text) {
  const Utf8Scope utf8;
  Size width = 0;
  each_code_point(text, [&](char32_t c, Size, Size) { width += c == 0 ? 1 : width_of(c); });
  return width;
}

std::string printable(std::string_view text) {
  std::string shown;
  each_code_point(text, [&](char32_t c, Size, Size) {
    const bool c1_control = c >= 0x80 && c < 0xA0;
    if (c < 0x20) c += 0x2400;  // U+2400 and on are pictures of the control characters, in their order
    if (c == 0x7F) c = 0x2421;
    append_utf8(shown, c1_control ? replacement : c);
  });
  return shown;
}

std::string pad_right(std::string_view text, Size width) {
  return std::string(text) + repeat(" ", width - columns(text));
}

std::string pad_left(std::string_view text, Size width) {
  return repeat(" ", width - columns(text)) + std::string(text);
}

std::string truncate(std::string_view text, Size width, std::string_view ellipsis) {
  if (columns(text) <= width) return std::string(text);
  if (columns(ellipsis) > width) ellipsis = "";
  const Size room = std::max<Size>(width, 0) - columns(ellipsis);
  std::string kept;
  Size used = 0;
  for (const std::string& character : characters(text)) {
    used += columns(character);
    if (used > room) break;
    kept += character;
  }
  return kept + std::string(ellipsis);
}

std::string repeat(std::string_view text, Size times) {
  std::string result;
  for (Size i = 0; i < times; ++i) result += text;
  return result;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end; (end = text.find(separator, start)) != std::string_view::npos; start = end + 1) {
    parts.emplace_back(text.substr(start, end - start));
  }
  parts.emplace_back(text.substr(start));
  return parts;
}

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

std::string trimmed(std::string_view text, std::string_view characters) {
  const auto first = text.find_first_not_of(characters);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(characters) - first + 1));
}

std::vector<std::string> wrap(std::string_view text, Size width) {
  std::vector<std::string> lines;
  for (const std::string& paragraph : split(text, '\n')) {
    if (columns(paragraph) <= width) {
      lines.push_back(paragraph);
      continue;
    }
    std::string line;
    for (const std::string& word : split(paragraph, ' ')) {
      if (word.empty()) continue;
      if (!line.empty() && columns(line) + 1 + columns(word) > width) {
        lines.push_back(line);
        line.clear();
      }
      if (!line.empty()) line += ' ';
      line += word;
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace attend::lesson
