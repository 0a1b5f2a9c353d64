// ./attend identities: every statement that a variant of attention becomes something known in a limit, with the
// difference that was measured beside the one that is allowed. Exits with 1 when one does not hold.
#include <iostream>

#include "nn/variants/variant.hpp"
#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/options.hpp"
#include "tutorials/lesson/run.hpp"
#include "tutorials/lesson/table.hpp"

using namespace attend;
using namespace attend::lesson;

namespace {

// How many of the family's identities do not hold.
Size print(const Family& family) {
  Size broken = 0;
  heading(family.name);
  Table table({"identity", "measured", "limit", ""});
  for (const Identity& identity : family.identities) {
    const double residual = identity.residual();
    const bool holds = residual <= identity.limit;  // not for NaN
    broken += !holds;
    table.row({identity.text, significant(residual, 2), significant(identity.limit, 2), holds ? "" : "BROKEN"});
  }
  table.print();
  return broken;
}

int identities(int argc, char** argv) {
  if (argc > 1) throw UsageError("identities takes no arguments, not '" + std::string(argv[1]) + "'");
  say("Each line says that two computations are the same: often a variant of attention in a limit where it must be "
      "something known. Measured is the largest difference of their results in float64; a limit of 0 asks for the same "
      "numbers.");
  Size all = 0, broken = 0;
  for (const Family& family : families()) {
    if (family.identities.empty()) continue;
    all += static_cast<Size>(family.identities.size());
    broken += print(family);
  }
  std::cout << '\n' << all - broken << " of " << all << " identities hold.\n";
  return broken == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, identities); }
