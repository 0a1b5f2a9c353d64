#include "tutorials/16_conditional_and_learned/few_shot_lesson.hpp"

#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

std::vector<Named> few_shot_lesson(const Options&, std::uint64_t, const std::string&, Claims&) { return {}; }

}  // namespace

Part few_shot_part() { return {"few-shot", "results_few_shot.tsv", {}, few_shot_lesson}; }

}  // namespace attend::chapter16
