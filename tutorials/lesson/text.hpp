#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tutorials/lesson/size.hpp"

/// UTF-8 text measured in terminal columns, because neither its bytes nor its code points say how wide it is.

namespace attend::lesson {

/// The byte offset at which `text` stops being valid UTF-8 (the start of the broken sequence), or nothing when all of
/// it is valid. Overlong forms, surrogates and values above U+10FFFF are invalid.
std::optional<Size> first_invalid_byte(std::string_view text);

/// The code points of a UTF-8 text. Throws std::invalid_argument, naming the byte offset, when it is not valid.
std::u32string decode(std::string_view text);

/// UTF-8 of code points. Surrogates and values above U+10FFFF become U+FFFD.
std::string encode(std::u32string_view code_points);

/// The text cut into what a reader sees as one character: a code point with the marks that combine with it. Invalid
/// bytes become U+FFFD.
std::vector<std::string> characters(std::string_view text);

/// Terminal columns `text` takes: combining marks 0, East Asian wide characters and emoji 2, everything else 1 (also an
/// invalid byte or a control character, which are to be shown through `printable`).
Size columns(std::string_view text);

/// `text` with its control characters and invalid bytes replaced by visible symbols of one column (a newline becomes
/// U+240A, a broken byte U+FFFD), so that data cannot move the cursor or change colours.
std::string printable(std::string_view text);

/// `text` with spaces on the right, or on the left, up to `width` columns; unchanged when it is as wide already.
std::string pad_right(std::string_view text, Size width);
std::string pad_left(std::string_view text, Size width);

/// `text` cut to at most `width` columns; a cut text ends with `ellipsis` where that fits.
std::string truncate(std::string_view text, Size width, std::string_view ellipsis = "…");

/// `text` repeated `times` times (none for a negative number).
std::string repeat(std::string_view text, Size times);

/// The parts of `text` between separators, empty ones too: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);

/// Whether `text` begins with `with`.
bool begins(std::string_view text, std::string_view with);

/// `text` without those of the characters that stand at its beginning and at its end.
std::string trimmed(std::string_view text, std::string_view characters);

/// `text` broken at spaces into lines of at most `width` columns; a longer word keeps a line of its own. Newlines in
/// the text stay line breaks, and a line that fits stays as it is, with all its spaces: tables pass unharmed. An empty
/// text gives one empty line.
std::vector<std::string> wrap(std::string_view text, Size width);

}  // namespace attend::lesson
