#include "tutorials/lesson/report/page.hpp"

#include <stdexcept>

#include "tutorials/lesson/report/files.hpp"

namespace attend::lesson {

std::string report_page(const std::map<std::string, std::string>& parts) {
  std::map<std::string, std::string> all = parts;
  all["style"] = report_style;
  all["script"] = report_script;

  const std::string frame = report_frame;
  std::string page;
  std::string::size_type done = 0;
  for (auto hole = frame.find("{{"); hole != std::string::npos; hole = frame.find("{{", done)) {
    const auto end = frame.find("}}", hole);
    const std::string name = frame.substr(hole + 2, end - hole - 2);
    const auto part = all.find(name);
    if (part == all.end()) throw std::logic_error("report.html: nothing for {{" + name + "}}");
    page += frame.substr(done, hole - done) + part->second;
    done = end + 2;
  }
  return page + frame.substr(done);
}

}  // namespace attend::lesson
