#include "tensor/npy.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>

#include "tensor/random.hpp"
#include "tests/support/compare.hpp"

using namespace attend;
using namespace attend::test;
namespace fs = std::filesystem;

namespace {

// A folder that goes with the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("attend-npy-" + std::to_string(getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(path), fs::directory_iterator()); }
};

void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A file as NumPy lays it out, from its header and its elements.
std::string npy(const std::string& header, const std::string& elements, char major = 1, char minor = 0) {
  std::string text = header + "\n", length(major == 1 ? 2 : 4, '\0');
  length[0] = static_cast<char>(text.size() & 0xff);
  length[1] = static_cast<char>(text.size() >> 8);
  return std::string("\x93NUMPY") + major + minor + length + text + elements;
}

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  std::string bytes;
  for (T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

// The message of the exception that loading such a file gives, without the folder's name.
std::string complaint(const Folder& folder, const std::string& bytes) {
  write(folder.file("x.npy"), bytes);
  try {
    load_npy(folder.file("x.npy"));
  } catch (const std::runtime_error& error) {
    const std::string text = error.what(), start = folder.file("");
    return text.compare(0, start.size(), start) == 0 ? text.substr(start.size()) : text;
  }
  return "no complaint";
}

}  // namespace

TEST_CASE("what is saved as .npy is loaded bit for bit, in every dtype and shape") {
  const Folder folder;
  Rng rng(1);
  const double odd[] = {NAN, -INFINITY, -0.0, 5e-324, std::numeric_limits<double>::max(), 1.0 / 3};
  const Tensor tensors[] = {rng.normal({3, 4}, 0, 1),
                            rng.normal({2, 1, 5}, 0, 1, DType::float64),
                            Tensor::from({odd, odd + 6}, {6}, DType::float64),
                            Tensor::from({odd, odd + 6}, {2, 3}, DType::float32),
                            Tensor::from({odd, odd + 6}, {3, 2}, DType::float16),
                            Tensor::from_ints({INT64_MIN, INT64_MAX, -1}, {3}),
                            rng.bernoulli({2, 2, 2}, 0.5),
                            Tensor::from({42}, {}),
                            Tensor::zeros({0, 3}),
                            Tensor::ones({1, 1, 1, 1, 1, 1, 1, 2}),
                            transpose(rng.normal({3, 4}, 0, 1)),
                            broadcast_to(Tensor::from({7}, {1}), {2, 3})};
  for (const Tensor& x : tensors) {
    CAPTURE(text(x.shape()));
    save_npy(folder.file("x.npy"), x);
    CHECK(same_bits(load_npy(folder.file("x.npy")), x));
    CHECK(load_npy(folder.file("x.npy")).contiguous());
  }
  CHECK(folder.files() == 1);
}

TEST_CASE("a saved file has NumPy's header, and its elements begin at a multiple of 64 bytes") {
  const Folder folder;
  save_npy(folder.file("x.npy"), Tensor::from({1, 2, 3, 4, 5, 6}, {2, 3}));
  const std::string file = read(folder.file("x.npy"));
  CHECK(file.substr(0, 8) == std::string("\x93NUMPY\1\0", 8));
  CHECK(file.substr(10, 57) == "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3),");
  CHECK(file.size() % 64 == 24);
  CHECK(file.substr(file.size() - 24) == bytes_of<float>({1, 2, 3, 4, 5, 6}));
  CHECK(file[file.size() - 25] == '\n');
  save_npy(folder.file("x.npy"), Tensor::from({1}, {1}));
  CHECK(read(folder.file("x.npy")).find("'shape': (1, ), }") != std::string::npos);
  save_npy(folder.file("x.npy"), Tensor::from({1}, {}));
  CHECK(read(folder.file("x.npy")).find("'shape': (), }") != std::string::npos);
}

TEST_CASE("Fortran order, format 2.0 and keys in another order are read") {
  const Folder folder;
  const std::string columns = bytes_of<double>({1, 4, 2, 5, 3, 6});
  write(folder.file("x.npy"), npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", columns));
  CHECK(same_bits(load_npy(folder.file("x.npy")), Tensor::from({1, 2, 3, 4, 5, 6}, {2, 3}, DType::float64)));
  write(folder.file("x.npy"),
        npy("{\"shape\":(2,),\"fortran_order\":False,\"descr\":\"<i8\"}", bytes_of<std::int64_t>({-1, 7}), 2));
  CHECK(load_npy(folder.file("x.npy")).to_ints() == std::vector<std::int64_t>{-1, 7});
}

TEST_CASE("float16 is '<f2', and bfloat16 has no name in NumPy") {
  const Folder folder;
  save_npy(folder.file("x.npy"), Tensor::from({1, -2}, {2}, DType::float16));
  const std::string file = read(folder.file("x.npy"));
  CHECK(file.find("'descr': '<f2'") != std::string::npos);
  CHECK(file.substr(file.size() - 4) == std::string("\x00\x3c\x00\xc0", 4));
  CHECK_THROWS_AS(save_npy(folder.file("y.npy"), Tensor::ones({2}, DType::bfloat16)), std::invalid_argument);
  CHECK(folder.files() == 1);
}

TEST_CASE("any byte of a bool array but 0 is true") {
  const Folder folder;
  write(folder.file("x.npy"),
        npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", std::string("\0\1\2", 3)));
  CHECK(same_bits(load_npy(folder.file("x.npy")), Tensor::from_bools({false, true, true}, {3})));
}

TEST_CASE("a file that is not what it should be is refused, with its name and what is wrong") {
  const Folder folder;
  const std::string good = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", bytes_of<float>({1, 2}));
  CHECK(complaint(folder, good) == "no complaint");
  CHECK(complaint(folder, "") == "x.npy: cannot be read, or is empty");
  CHECK(complaint(folder, "PK\3\4 an archive") == "x.npy: not a .npy file: it does not begin with \\x93NUMPY");
  CHECK(complaint(folder, good.substr(0, 7)) == "x.npy: cut short: it ends in the version");
  CHECK(complaint(folder, good.substr(0, 9)) == "x.npy: cut short: it ends in the length of the header");
  CHECK(complaint(folder, good.substr(0, 30)) == "x.npy: cut short: it ends in the header");
  CHECK(complaint(folder, good.substr(0, good.size() - 1)) ==
        "x.npy: cut short: float32 [2] needs 8 bytes, and there are 7");
  CHECK(complaint(folder, good + "!") == "x.npy: too long: float32 [2] needs 8 bytes, and there are 9");
  CHECK(complaint(folder, npy("{}", "", 3)) == "x.npy: format 3.0; only 1.0 and 2.0 are read");

  const auto with = [&](const std::string& descr, const std::string& shape) {
    return complaint(folder, npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }", ""));
  };
  CHECK(with("'>f8'", "(2,)") == "x.npy: big-endian elements ('>f8'); in NumPy, x.astype('<f8') turns them round");
  CHECK(with("'<i4'", "(2,)") ==
        "x.npy: elements of dtype '<i4'; a tensor has float16 '<f2', float32 '<f4', float64 '<f8', int64 '<i8' or "
        "bool '|b1'");
  CHECK(with("[('a', '<f4')]", "(2,)").find("x.npy: the dtype has fields, which a tensor has not") == 0);
  CHECK(with("'<f4'", "(1, 1, 1, 1, 1, 1, 1, 1, 1)").find("x.npy: more than 8 axes") == 0);
  CHECK(with("'<f4'", "(4611686018427387904, 4)") == "x.npy: the shape [4611686018427387904, 4] is too large");
  CHECK(with("'<f4'", "(4611686018427387904, 4, 0)").find("x.npy: the shape") == 0);
  for (const char* shape : {"(2", "2", "(-1,)", "(99999999999999999999,)", "(2,,)", "(a,)"}) {
    CAPTURE(shape);
    CHECK(with("'<f4'", shape).find("x.npy: the header makes no sense") == 0);
  }
  CHECK(complaint(folder, npy("{'descr': '<f4', 'shape': (2,), }", "")).find("x.npy: the header makes no sense") == 0);
}

TEST_CASE("every byte of a header may be wrong without harm") {
  const Folder folder;
  const std::string good = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", bytes_of<float>({1}));
  for (std::size_t i = 0; i + 4 < good.size(); ++i) {
    for (char wrong : {'\0', '9', '\'', '\xff'}) {
      std::string bad = good;
      bad[i] = wrong;
      complaint(folder, bad);  // throws only std::runtime_error, or loads
    }
  }
}

TEST_CASE("a file that cannot be opened or written is named, and nothing is left behind") {
  const Folder folder;
  CHECK_THROWS_WITH_AS(load_npy(folder.file("missing.npy")),
                       (folder.file("missing.npy") + ": cannot be opened: No such file or directory").c_str(),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(save_npy(folder.file("no/x.npy"), Tensor::ones({1})),
                       (folder.file("no/x.npy") + ": cannot be written: No such file or directory").c_str(),
                       std::runtime_error);
  fs::create_directory(folder.file("taken.npy"));
  CHECK_THROWS_AS(save_npy(folder.file("taken.npy"), Tensor::ones({1})), std::runtime_error);
  CHECK(folder.files() == 1);
  CHECK_THROWS_AS(save_npy(folder.file("x.npy"), Tensor::ones({1}).without_data()), std::invalid_argument);
  CHECK_THROWS_AS(save_npy(folder.file("x.npy"), Tensor()), std::invalid_argument);
}
