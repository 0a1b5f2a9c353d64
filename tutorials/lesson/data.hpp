#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/size.hpp"

/// The data files of the chapters, and files of the reader's own.

namespace attend::lesson {

/// Path of a file of tutorials/data, such as "cldr/cldr_dates.tsv", whatever folder the program is started in. The
/// environment variable ATTEND_DATA names another data folder. The file need not exist.
std::string data_path(std::string_view name);

/// All bytes of a file. Throws DataError when it cannot be read.
std::string read_bytes(const std::string& path);

/// The whole text of a file: UTF-8, line ends as '\n', without a byte order mark. Throws DataError when the file cannot
/// be read, is empty, or holds invalid UTF-8 (with the line it stands on).
std::string read_text(const std::string& path);

/// A line of a tab-separated file and its number in the file, from 1.
struct TsvRow {
  Size line;
  std::vector<std::string> cells;
};

struct Tsv {
  std::vector<std::string> header;  // empty without one
  std::vector<TsvRow> rows;
};

enum class Header { none, first_line };

/// A tab-separated file; empty lines are skipped. Throws DataError as `read_text` does, for a line of fewer than
/// `columns` cells ("no tab on this line" where there is not even one), and for a file without rows.
Tsv read_tsv(const std::string& path, Size columns = 2, Header header = Header::none);

/// Two texts that belong together: a sentence and its translation.
struct Pair {
  std::string source, target;
};

}  // namespace attend::lesson
