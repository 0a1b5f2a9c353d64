#include "tutorials/lesson/data.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
std::string data_path(std::string_view name) {
  const char* own = std::getenv("ATTEND_DATA");
  const std::filesystem::path folder = own != nullptr && *own != '\0' ? own : ATTEND_DATA_DIR;
  return (folder / name).string();
}

std::string read_bytes(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw DataError(path, 0, "is a folder, not a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw DataError(path, 0, std::string("cannot be read: ") + std::strerror(errno));
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::string read_text(const std::string& path) {
  std::string text = read_bytes(path);
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  if (text.empty()) throw DataError(path, 1, "the file is empty");
  if (const auto offset = first_invalid_byte(text)) {
    const Size line = 1 + std::count(text.begin(), text.begin() + *offset, '\n');
    throw DataError(path, line, "invalid UTF-8 (save the file as UTF-8)");
  }
  for (std::size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

Tsv read_tsv(const std::string& path, Size columns, Header header) {
  Tsv file;
  Size number = 0;
  for (const std::string& line : split(read_text(path), '\n')) {
    ++number;
    if (line.empty()) continue;
    std::vector<std::string> cells = split(line, '\t');
    if (size_of(cells) < columns) {
      const std::string found = std::to_string(cells.size()) + " of " + std::to_string(columns) + " columns";
      throw DataError(path, number,
                      (cells.size() == 1 ? "no tab on this line: " : "too few tabs on this line: ") + found);
    }
    if (header == Header::first_line && file.header.empty()) {
      file.header = std::move(cells);
    } else {
      file.rows.push_back({number, std::move(cells)});
    }
  }
  if (file.rows.empty()) throw DataError(path, number, "the file holds no row");
  return file;
}

}  // namespace attend::lesson
