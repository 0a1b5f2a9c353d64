#include "tutorials/lesson/gradients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/table.hpp"

namespace attend::lesson {
namespace {

// NaN is the worst of all.
double error_of(const GradcheckReport& report) {
  return std::isnan(report.worst()) ? std::numeric_limits<double>::infinity() : report.worst();
}

}  // namespace

void claim_gradients(std::vector<GradcheckReport> reports, Claims& claims, const std::string& what) {
  std::stable_sort(reports.begin(), reports.end(),
                   [](const auto& a, const auto& b) { return error_of(a) > error_of(b); });
  Table table({what, "inputs and orders", "worst error"});
  bool all = true;
  for (const GradcheckReport& report : reports) {
    table.row({report.name, count(static_cast<Size>(report.inputs.size())), significant(report.worst(), 2)});
    all = all && report.passed();
  }
  table.print();
  claims.below("worst gradient error, order 1 and 2", reports.at(0).worst(), 1e-8);
  claims.holds("every check could have failed: no gradient too small to prove anything", all);
}

}  // namespace attend::lesson
