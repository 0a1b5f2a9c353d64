#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/chart.hpp"
#include "tutorials/lesson/report/parts.hpp"

/// What a run leaves behind so that another one can be compared with it.

namespace attend::lesson {

struct Record {
  std::string program;  ///< "Chapter 05: Self-attention as retrieval"
  std::string command;  ///< "./attend run 05 --seed 3"
  int exit_code = 0;
  double seconds = 0;
  std::vector<Claim> claims;
  std::vector<Chart> charts;  ///< the courses of losses, and other charts
};

/// Writes it as JSON, whole or not at all. Throws std::runtime_error when it cannot be written.
void write_record(const std::string& path, const Record& record);

/// Throws DataError when the file is missing, or is no record.
Record read_record(const std::string& path);

}  // namespace attend::lesson
