#include "tutorials/seat/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::seat {

namespace fs = std::filesystem;

namespace {

// The paragraphs of a page that are sentences: no headings, pictures, comments, tables or listings.
std::vector<std::string> paragraphs(const std::string& page) {
  std::vector<std::string> found(1);
  for (const std::string& line : lesson::split(page, '\n')) {
    const bool text = !line.empty() && std::string("#!<>|`").find(line[0]) == std::string::npos;
    if (text) found.back() += (found.back().empty() ? "" : " ") + line;
    if (line.empty() && !found.back().empty()) found.emplace_back();
  }
  return found;
}

// "03 · Additive attention" without its number, which is printed anyway.
std::string title_of(const std::string& page, const std::string& otherwise) {
  std::smatch match;
  const std::string first = page.substr(0, page.find('\n'));
  return std::regex_match(first, match, std::regex("# +(?:[0-9]+ +· +)?(.+)")) ? match[1].str() : otherwise;
}

std::string first_sentence(const std::string& paragraph) {
  std::string plain;
  for (const char c : paragraph) {
    if (c != '*' && c != '`') plain += c;
  }
  std::smatch match;
  return std::regex_search(plain, match, std::regex("^.*?[.?!](?= |$)")) ? match.str() : plain;
}

// "30 minutes; the program …", "An hour; …", "An hour and a half".
Size minutes_in(const std::string& paragraph) {
  std::smatch match;
  if (std::regex_search(paragraph, match, std::regex("([0-9]+) minutes"))) return std::stoi(match[1]);
  if (std::regex_search(paragraph, std::regex("[Aa]n hour and a half"))) return 90;
  return std::regex_search(paragraph, std::regex("[Aa]n hour")) ? 60 : 0;
}

// Each has a check; a reader may have put copies of the exercise beside it.
std::vector<Exercise> exercises_in(const fs::path& folder, const std::string& number) {
  std::vector<Exercise> exercises;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::smatch match;
    const std::string name = entry.path().filename().string();
    if (!std::regex_match(name, match, std::regex("check_([0-9]+)_(.+)\\.cpp"))) continue;
    const std::string k = match[1], what = match[2];
    exercises.push_back({number + "." + k, what, (folder / ("exercise_" + k + "_" + what + ".cpp")).string()});
  }
  std::sort(exercises.begin(), exercises.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return exercises;
}

Chapter read_chapter(const fs::path& folder) {
  Chapter chapter;
  const std::string name = folder.filename().string(), path = (folder / "README.md").string();
  const std::string page = fs::exists(path) ? lesson::read_text(path) : "";
  chapter.number = name.substr(0, 2);
  chapter.title = title_of(page, name.substr(3));
  chapter.folder = folder.string();
  const std::vector<std::string> texts = paragraphs(page);
  chapter.question = first_sentence(texts[0]);
  if (texts.size() > 1) chapter.minutes = minutes_in(texts[1]);
  chapter.exercises = exercises_in(folder, chapter.number);
  chapter.has_quiz = fs::exists(folder / "quiz.md");
  return chapter;
}

}  // namespace

std::string chapter_in(const std::string& id) { return id.substr(0, id.find('.')); }

std::string number_in(const std::string& id) { return id.substr(id.find('.') + 1); }

std::vector<Chapter> read_catalogue(const std::string& tutorials) {
  std::vector<fs::path> folders;
  std::error_code no_folder;
  for (const auto& entry : fs::directory_iterator(tutorials, no_folder)) {
    const std::string name = entry.path().filename().string();
    if (std::regex_match(name, std::regex("[0-9][0-9]_.+")) && fs::exists(entry.path() / "main.cpp")) {
      folders.push_back(entry.path());
    }
  }
  if (folders.empty()) throw lesson::DataError(tutorials, 0, "no chapter is here: is the clone complete?");
  std::sort(folders.begin(), folders.end());
  std::vector<Chapter> chapters;
  for (const fs::path& folder : folders) chapters.push_back(read_chapter(folder));
  return chapters;
}

const Chapter& chapter_of(const std::vector<Chapter>& chapters, const std::string& number) {
  std::string all;
  for (const Chapter& chapter : chapters) {
    if (chapter.number == number) return chapter;
    all += " " + chapter.number;
  }
  throw lesson::UsageError("there is no chapter '" + number + "'; there are:" + all);
}

const Exercise& exercise_of(const std::vector<Chapter>& chapters, const std::string& id) {
  const Chapter& chapter = chapter_of(chapters, chapter_in(id));
  std::string all;
  for (const Exercise& exercise : chapter.exercises) {
    if (exercise.id == id) return exercise;
    all += " " + exercise.id;
  }
  throw lesson::UsageError("there is no exercise '" + id + "'; chapter " + chapter.number + " has:" + all);
}

}  // namespace attend::seat
