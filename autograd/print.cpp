#include "autograd/print.hpp"

#include <ostream>

#include "autograd/record.hpp"

namespace attend {
namespace {

std::string origin(const Var& x) {
  if (!x.needs_grad()) return "constant";
  return x.node()->pullback ? std::string("from ") + x.node()->op : "leaf";
}

}  // namespace

std::string to_string(const Var& x, PrintOptions options) {
  if (!x.defined()) return to_string(x.value(), options);
  options.note = origin(x) + (options.note.empty() ? "" : ", " + options.note);
  return to_string(x.value(), options);
}

std::ostream& operator<<(std::ostream& out, const Var& x) { return out << to_string(x); }

}  // namespace attend
