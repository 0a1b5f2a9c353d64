#include "tutorials/16_conditional_and_learned/conditional_lesson.hpp"

#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

std::vector<Named> conditional_lesson(const Options&, std::uint64_t, const std::string&, Claims&) { return {}; }

}  // namespace

Part conditional_part() { return {"conditional", "results.tsv", {}, conditional_lesson}; }

}  // namespace attend::chapter16
