#include "tutorials/lesson/interrupt.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "tensor/whole_file.hpp"
#include "tests/tutorials/lesson/support.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace lesson_test;

TEST_CASE("a file appears at commit, in one step") {
  const Folder folder;
  const std::string path = folder.write("a.txt", "old");
  WholeFile file(path);
  file.stream() << "new";
  file.stream().flush();
  CHECK(read_back(path) == "old");
  file.commit();
  CHECK(read_back(path) == "new");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that is not committed leaves the old one and no trace") {
  const Folder folder;
  const std::string path = folder.write("a.txt", "old");
  { WholeFile(path).stream() << "half"; }
  CHECK(read_back(path) == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that cannot be made is a named error") {
  const std::string text = thrown<std::runtime_error>([] { WholeFile("/nowhere/at/all.txt"); });
  CHECK(text == "/nowhere/at/all.txt: cannot be written: No such file or directory");
}

TEST_CASE("a full disk is noticed at commit") {
  if (access("/dev/full", W_OK) != 0) return;
  const Folder folder;
  const std::string path = folder.write("a.txt", "old");
  const std::string temporary = path + "." + std::to_string(getpid()) + ".tmp";
  std::filesystem::create_symlink("/dev/full", temporary);
  WholeFile file(path);
  file.stream() << "new";
  CHECK_THROWS_AS(file.commit(), std::runtime_error);
  CHECK(read_back(path) == "old");
}

TEST_CASE("Ctrl-C removes the temporary file, keeps the old one, and ends by the signal") {
  const Folder folder;
  const std::string path = folder.write("results.tsv", "old");
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);  // doctest, or a shell, may have set it otherwise
    end_cleanly_when_interrupted();
    WholeFile file(path);
    file.stream() << "half a fi" << std::flush;
    std::raise(SIGINT);
    _exit(0);  // not reached
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
  CHECK(read_back(path) == "old");
  CHECK(folder.files() == 1);
}
