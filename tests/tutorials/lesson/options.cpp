#include "tutorials/lesson/options.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/errors.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

/// Options as chapter 03 has them, and a command line for them.
struct Example {
  std::string task = "dates", pairs;
  Size hidden = 64;
  bool loud = false;
  Options options{"03", "Additive attention", {{"no-softmax", "weights = scores", "they no longer sum to 1"}}};

  Example() {
    options.choice("--task", task, {{"dates", "to ISO form"}, {"names", "English to French"}}, "what to learn");
    options.file("--pairs", pairs, "a file of your own");
    options.number("--hidden", hidden, "size of the state");
    options.toggle("--loud", loud, "say more");
  }

  void parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "program");
    options.parse(static_cast<int>(arguments.size()), arguments.data());
  }
};

std::string complaint(const std::vector<const char*>& arguments) {
  return thrown<UsageError>([&] { Example().parse(arguments); });
}

}  // namespace

TEST_CASE("without arguments the defaults hold") {
  Example example;
  example.parse({});
  CHECK(example.options.effort() == Effort::normal);
  CHECK(example.options.seed() == 1);
  CHECK(example.options.threads() == 1);
  CHECK(example.options.broken().empty());
  CHECK_FALSE(example.options.breaks("no-softmax"));
  CHECK(example.options.break_notice().empty());
  CHECK(example.task == "dates");
}

TEST_CASE("every option is understood") {
  Example example;
  example.parse({"--quick", "--seed", "7", "--threads=2", "--break", "no-softmax", "--task", "names", "--pairs",
                 "my.tsv", "--hidden", "32", "--loud"});
  CHECK(example.options.quick());
  CHECK(example.options.seed() == 7);
  CHECK(example.options.threads() == 2);
  CHECK(example.options.breaks("no-softmax"));
  CHECK(example.options.break_notice() == "Broken on purpose (no-softmax): weights = scores. They no longer sum to 1.");
  CHECK(example.task == "names");
  CHECK(example.pairs == "my.tsv");
  CHECK(example.hidden == 32);
  CHECK(example.loud);
}

TEST_CASE("a flag counts as given when the command line names it, be it with the value that it had") {
  Example example;
  example.parse({"--task", "dates", "--loud"});
  CHECK(example.options.given("--task"));
  CHECK(example.options.given("--loud"));
  CHECK_FALSE(example.options.given("--hidden"));
}

TEST_CASE("the seeds of a run are the one that was named, and with --full those of the page") {
  Example one, all;
  one.parse({"--seed", "7"});
  CHECK(one.options.seeds(3) == std::vector<std::uint64_t>{7});
  all.parse({"--full"});
  CHECK(all.options.seeds(3) == std::vector<std::uint64_t>{1, 2, 3});
}

TEST_CASE("an unknown flag is answered with what exists and the nearest name") {
  CHECK(complaint({"--sed", "3"}).find("no option '--sed'; did you mean '--seed'? There are: --quick, ") == 0);
  CHECK(complaint({"--taks=names"}).find("did you mean '--task'?") != std::string::npos);
  CHECK(complaint({"fast"}).find("no argument 'fast'; there are: --quick") == 0);
}

TEST_CASE("an unknown break or choice is answered with the nearest name") {
  CHECK(complaint({"--break", "no-sofmax"}) ==
        "no --break 'no-sofmax'; did you mean 'no-softmax'? There are: no-softmax");
  CHECK(complaint({"--task", "date"}) == "no --task 'date'; did you mean 'dates'? There are: dates, names");
}

TEST_CASE("numbers must be numbers") {
  CHECK(complaint({"--seed", "x"}) == "--seed wants a whole number of at least 0, not 'x'");
  CHECK(complaint({"--seed", "-1"}) == "--seed wants a whole number of at least 0, not '-1'");
  CHECK(complaint({"--seed", "99999999999999999999999"}).find("--seed wants a whole number") == 0);
  for (const std::string number : {"0", "1025", "18446744073709551615", "99999999999999999999"}) {
    CHECK(complaint({"--threads", number.c_str()}) ==
          "--threads wants a whole number of at least 1 and at most 1024, not '" + number + "'");
  }
  CHECK(complaint({"--hidden", "many"}) == "not a number: --hidden = many");
  CHECK(complaint({"--seed"}) == "--seed wants exactly one value");
}

TEST_CASE("--quick and --full exclude each other") {
  CHECK(complaint({"--quick", "--full"}) == "--quick and --full exclude each other");
}

TEST_CASE("--help lists every option, choice and break, with an example, in 80 columns") {
  const std::string help = thrown<HelpWanted>([] { Example().parse({"--help"}); });
  for (const char* part :
       {"Chapter 03: Additive attention", "--quick", "--full", "--seed N", "--threads N", "--task NAME",
        "names  English to French", "no-softmax  weights = scores", "./attend run 03 --break no-softmax"}) {
    CHECK_MESSAGE(help.find(part) != std::string::npos, part);
  }
  for (const std::string& line : lines_of(help)) CHECK(line.size() <= 80);
  CHECK(thrown<HelpWanted>([] { Example().parse({"-h"}); }) == help);
}

TEST_CASE("asking for a break the chapter does not list is a mistake in the chapter") {
  Example example;
  example.parse({});
  CHECK_THROWS_AS(example.options.breaks("no-sofmax"), std::logic_error);
}

TEST_CASE("a chapter without breaks has no --break") {
  Options options("01", "Numbers and gradients");
  const char* arguments[] = {"program", "--break", "x"};
  CHECK(thrown<UsageError>([&] { options.parse(3, arguments); }).find("no option '--break'") == 0);
}

TEST_CASE("a file without a name is refused: a shell variable may have been empty") {
  CHECK(complaint({"--pairs", ""}) == "--pairs wants the name of a file, not ''");
}

TEST_CASE("a full run, whose figures the page states, is not of a broken model") {
  CHECK(complaint({"--full", "--break", "no-softmax"}).find("--full and --break exclude each other") == 0);
}
