#include "nn/safetensors.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "nn/linear.hpp"
#include "nn/norm.hpp"
#include "tests/nn/layers.hpp"
#include "tests/support/special.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// A folder of its own that goes with its contents.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "attend_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  // How many files there are: 1 when no unfinished one lies beside the file.
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path path_;
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

void write(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

// The bytes of a file: the length of the header, the header, the data.
std::string file_of(const std::string& header, const std::string& data) {
  std::string length(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 0xff);
  return length + header + data;
}

std::string bytes_of(const std::vector<float>& values) {
  std::string bytes(values.size() * 4, '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

struct Model {
  Linear first, last;
  explicit Model(Rng& rng) : first(3, 4, rng), last(4, 2, rng) {}
  void parameters(const Visit& visit) {
    visit("first", first);
    visit("last", last);
  }
};

Model model_of(std::uint64_t seed) {
  Rng rng(seed);
  return Model(rng);
}

// Fails unless `f` throws std::runtime_error that begins with the path and holds the texts.
template <class F>
void check_fails(F f, const std::string& path, const std::vector<std::string>& texts) {
  std::string message = "nothing was thrown";
  try {
    f();
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  CAPTURE(message);
  CHECK(message.find(path + ": ") == 0);
  for (const std::string& text : texts) CHECK(message.find(text) != std::string::npos);
}

// Fails unless loading a file of these bytes throws so, and leaves the model as it was.
void check_refused(const std::string& content, const std::vector<std::string>& texts) {
  const Folder folder;
  const std::string path = folder / "bad.safetensors";
  write(path, content);
  Model model = model_of(1);
  const Vars before = parameters(model);
  check_fails([&] { load(path, model); }, path, texts);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(parameters(model)[i].node().get() == before[i].node().get());
}

// A header of one entry "a" for 8 bytes of data, with its parts as given.
std::string with_entry(const std::string& entry, const std::string& data = std::string(8, '\0')) {
  return file_of("{\"a\":" + entry + "}", data);
}

}  // namespace

TEST_CASE("a model comes back bit for bit") {
  const Folder folder;
  const std::string path = folder / "model.safetensors";
  Model model = model_of(1);
  model.first.weight = Var::parameter(
      Tensor::from({not_a_number, infinity, -infinity, -0.0, 0, 1e-45, 1 / 3.0 * 1e-7, 3e38, 1, 2, 3, 4}, {3, 4}));
  save(path, model);
  Model other = model_of(2);
  load(path, other);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(same_bits(parameters(other)[i], parameters(model)[i]));
    CHECK(parameters(other)[i].needs_grad());
  }
  const Var x(Tensor::ones({5, 3}));
  CHECK(same_bits(other.last(other.first(x)), model.last(model.first(x))));
  CHECK(folder.files() == 1);
}

TEST_CASE("buffers are saved with the parameters, and come back bit for bit") {
  const Folder folder;
  const std::string path = folder / "norm.safetensors";
  BatchNorm trained(3), fresh(3);
  trained(Var(random({4, 3, 2}, DType::float32)), Mode::training);
  save(path, trained);
  CHECK(load_tensors(path).size() == 4);
  load(path, fresh);
  CHECK(same_bits(Var(fresh.running_mean), Var(trained.running_mean)));
  CHECK(same_bits(Var(fresh.running_variance), Var(trained.running_variance)));
  CHECK(same_bits(fresh.gain, trained.gain));

  BatchNorm wide = cast(BatchNorm(3), DType::float64);
  CHECK_THROWS_AS(load(path, wide), std::runtime_error);
  check_close(Var(wide.running_mean), {3}, {0, 0, 0}, 0);
  save_tensors(path, named_parameters(trained));  // as a file from before there were buffers
  CHECK_THROWS_AS(load(path, fresh), std::runtime_error);
  CHECK(same_bits(Var(fresh.running_mean), Var(trained.running_mean)));
}

TEST_CASE("every dtype and shape comes back bit for bit, views too, in the order in which they were saved") {
  const Folder folder;
  const std::string path = folder / "all.safetensors";
  const std::vector<NamedVar> saved = {
      {"z", Var(numbers({1 / 3.0, -0.0, infinity, not_a_number}, {2, 2}))},
      {"empty", Var(Tensor::zeros({0, 3}))},
      {"number", Var(Tensor::full({}, 7))},
      {"mask", Var(Tensor::from_bools({true, false, true}, {3}))},
      {"view", Var(transpose(random({3, 2}, DType::float32)))},
      {"ids", Var(Tensor::from_ints({std::numeric_limits<std::int64_t>::min(), -1, (std::int64_t{1} << 53) + 1}, {3}))},
      {"half", Var(Tensor::from({1 / 3.0, -0.0, infinity, 1e-7, not_a_number}, {5}, DType::float16))},
      {"brain", Var(transpose(Tensor::from({1 / 3.0, 1e30, -2, 0}, {2, 2}, DType::bfloat16)))},
      {"repeated", Var(broadcast_to(Tensor::from({1, 2}, {2}), {3, 2}))},
  };
  save_tensors(path, saved);
  const auto loaded = load_tensors(path);
  REQUIRE(loaded.size() == saved.size());
  for (std::size_t i = 0; i < saved.size(); ++i) {
    CHECK(loaded[i].first == saved[i].first);
    CHECK(same_bits(Var(loaded[i].second), saved[i].second));
  }
}

TEST_CASE("a file has the layout of the format: the length, a JSON header padded with spaces, the bytes in order") {
  const Folder folder;
  const std::string path = folder / "a.safetensors";
  save_tensors(path, {{"b", Var(Tensor::from({1, -2}, {2, 1}))}, {"a", Var(Tensor::from_bools({true}, {}))}});
  std::string header = R"({"b":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                       R"("a":{"dtype":"BOOL","shape":[],"data_offsets":[8,9]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  CHECK(read(path) == file_of(header, bytes_of({1, -2}) + '\x01'));
}

TEST_CASE("float16 is F16 and bfloat16 is BF16, as in every other framework") {
  const Folder folder;
  const std::string path = folder / "halves.safetensors";
  save_tensors(path, {{"a", Var(Tensor::from({1, -2}, {2}, DType::float16))},
                      {"b", Var(Tensor::from({1, -2}, {2}, DType::bfloat16))}});
  std::string header = R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},)"
                       R"("b":{"dtype":"BF16","shape":[2],"data_offsets":[4,8]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  CHECK(read(path) == file_of(header, std::string("\x00\x3c\x00\xc0\x80\x3f\x00\xc0", 8)));
}

TEST_CASE("a file by another writer is read: metadata, any order of the entries, no padding") {
  const Folder folder;
  const std::string path = folder / "foreign.safetensors";
  write(path,
        file_of(R"({"b": {"data_offsets": [4, 12], "shape": [2], "dtype": "F32"}, "__metadata__": {"format": "pt"},)"
                R"( "none": {"dtype": "F32", "shape": [0, 5], "data_offsets": [4, 4]},)"
                R"( "a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})",
                bytes_of({1, 2, 3})));
  const auto loaded = load_tensors(path);
  REQUIRE(loaded.size() == 3);
  CHECK(loaded[0].first == "a");
  check_close(Var(loaded[0].second), {1}, {1}, 0);
  CHECK(loaded[1].first == "none");
  CHECK(loaded[1].second.shape() == Shape{0, 5});
  check_close(Var(loaded[2].second), {2}, {2, 3}, 0);
}

TEST_CASE("tied parameters are saved under each name, come back tied, and must agree") {
  const Folder folder;
  const std::string path = folder / "tied.safetensors";
  Rng rng(1);
  struct Tied {
    Linear a, b;
    void parameters(const Visit& visit) {
      visit("a", a);
      visit("b", b);
    }
  };
  const Linear layer(2, 2, rng, false), another(2, 2, rng, false);
  save(path, Tied{layer, layer});
  Tied model{another, another};
  load(path, model);
  CHECK(model.a.weight.node().get() == model.b.weight.node().get());
  CHECK(same_bits(model.a.weight, layer.weight));

  save(path, Tied{layer, another});
  check_fails([&] { load(path, model); }, path, {"\"b.weight\" differs from \"a.weight\"", "ties"});
  CHECK(same_bits(model.a.weight, layer.weight));
  Tied apart{another, layer};
  load(path, apart);
  CHECK(same_bits(apart.b.weight, another.weight));
}

TEST_CASE("the first difference between file and model is named, and the model stays as it was") {
  const Folder folder;
  const std::string path = folder / "model.safetensors";
  const auto refuse = [&](const std::vector<NamedVar>& tensors, const std::vector<std::string>& texts) {
    save_tensors(path, tensors);
    check_refused(read(path), texts);
  };
  const Var w(Tensor::zeros({3, 4})), b(Tensor::zeros({4})), v(Tensor::zeros({4, 2})), c(Tensor::zeros({2}));
  refuse({{"first.weight", w}, {"first.bias", b}, {"last.weight", v}}, {"has no \"last.bias\" [2]"});
  refuse({{"first.weight", w}, {"first.bias", b}, {"last.kernel", v}, {"last.bias", c}},
         {"has no \"last.weight\" [4, 2]"});
  refuse({{"first.weight", w}, {"first.bias", b}, {"last.weight", v}, {"last.bias", c}, {"more", c}},
         {"has \"more\", which the model has not"});
  refuse({{"first.weight", Var(Tensor::zeros({1, 4}))}, {"first.bias", b}, {"last.weight", v}, {"last.bias", c}},
         {"\"first.weight\" is float32 [1, 4], the model's is float32 [3, 4]"});  // would broadcast
  refuse({{"first.weight", Var(Tensor::zeros({4, 3}))}, {"first.bias", b}, {"last.weight", v}, {"last.bias", c}},
         {"\"first.weight\" is float32 [4, 3], the model's is float32 [3, 4]"});
  refuse({{"first.weight", w}, {"first.bias", b}, {"last.weight", v}, {"last.bias", cast(c, DType::float64)}},
         {"\"last.bias\" is float64 [2], the model's is float32 [2]"});
  refuse({}, {"has no \"first.weight\""});
}

TEST_CASE("a file that is cut short anywhere is refused") {
  const Folder folder;
  const std::string path = folder / "model.safetensors";
  save(path, model_of(3));
  const std::string whole = read(path);
  for (std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{100}, whole.size() - 1}) {
    check_refused(whole.substr(0, length), {length < 8 ? "too short" : "cut short"});
  }
  for (std::size_t length = 0; length < whole.size(); length += 13) {
    check_refused(whole.substr(0, length), {"short"});
  }
  check_refused(whole + "x", {"1 bytes that belong to no tensor"});
}

TEST_CASE("a header that is none is refused") {
  check_refused(std::string(8, '\xff') + std::string(100, ' '), {"cut short", "18446744073709551615"});
  check_refused(file_of("", ""), {"no JSON header"});
  check_refused(file_of("not JSON", ""), {"no JSON header"});
  check_refused(file_of("[1, 2]", ""), {"no JSON header"});
  check_refused(file_of("{\"a\":", ""), {"no JSON header"});
  check_refused(file_of(std::string(100000, '['), ""), {"no JSON header"});
  check_refused("{\"a\": 1} is a text file, and no weights", {"cut short"});
}

TEST_CASE("an entry that makes no sense is refused by its name") {
  check_refused(with_entry("1"), {"wrong header"});
  check_refused(with_entry("{}"), {"wrong header"});
  check_refused(with_entry(R"({"dtype":"F32","data_offsets":[0,8]})"), {"wrong header", "shape"});
  check_refused(with_entry(R"({"shape":[2],"data_offsets":[0,8]})"), {"wrong header", "dtype"});
  check_refused(with_entry(R"({"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]})"), {"\"a\"", "F8_E4M3"});
  check_refused(with_entry(R"({"dtype":7,"shape":[2],"data_offsets":[0,8]})"), {"wrong header"});
  for (const char* shape : {"[-2]", "[2.5]", "\"2\"", "[\"2\"]", "[1,1,1,1,1,1,1,1,2]", "[9223372036854775807]",
                            "[4611686018427387904,4]", "[18446744073709551615]", "[4294967296,4294967296]", "{}"}) {
    check_refused(with_entry(std::string(R"({"dtype":"F32","shape":)") + shape + R"(,"data_offsets":[0,8]})"),
                  {"\"a\" has the shape"});
  }
  for (const char* offsets : {"[0]", "[0,4,8]", "[0,-8]", "[0,8.5]", "\"08\"", "[\"0\",8]"}) {
    check_refused(with_entry(std::string(R"({"dtype":"F32","shape":[2],"data_offsets":)") + offsets + "}"),
                  {"\"a\" has the offsets"});
  }
  check_refused(with_entry(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})"), {"\"a\" has other bytes", "[3]"});
  check_refused(with_entry(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})"), {"\"a\" begins at byte 8"});
  check_refused(with_entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615]})"),
                {"\"a\" has other bytes"});
  check_refused(with_entry(R"({"dtype":"F32","shape":[3],"data_offsets":[0,12]})"), {"cut short within \"a\""});
  check_refused(with_entry(R"({"dtype":"BOOL","shape":[8],"data_offsets":[0,8]})", std::string(8, '\x02')),
                {"\"a\" holds a bool"});
}

TEST_CASE("a value nested deep is refused, or passed over, like any other") {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  check_refused(with_entry(R"({"dtype":"F32","shape":)" + deep + R"(,"data_offsets":[0,8]})"), {"\"a\" has the shape"});
  check_refused(with_entry(R"({"dtype":"F32","shape":[2],"data_offsets":)" + deep + "}"), {"\"a\" has the offsets"});
  check_refused(with_entry(R"({"dtype":)" + deep + R"(,"shape":[2],"data_offsets":[0,8]})"), {"wrong header"});
  check_refused(with_entry(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8],"more":)" + deep + "}"),
                {"\"a\" has other bytes"});
}

TEST_CASE("tensors that overlap, and bytes between them, are refused") {
  const auto two = [](const std::string& offsets_of_b, std::size_t bytes) {
    return file_of(
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":)" +
            offsets_of_b + "}}",
        std::string(bytes, '\0'));
  };
  check_refused(two("[4,8]", 8), {"\"b\" begins at byte 4", "byte 8"});
  check_refused(two("[12,16]", 16), {"\"b\" begins at byte 12", "byte 8"});
  check_refused(two("[0,4]", 8), {"begins at byte 0", "byte 4"});
}

TEST_CASE("a file that is not there, or is a folder, is refused") {
  const Folder folder;
  Model model = model_of(1);
  const std::string missing = folder / "missing.safetensors", itself = folder / ".";
  check_fails([&] { load(missing, model); }, missing, {"cannot be opened"});
  check_fails([&] { load(itself, model); }, itself, {""});
}

TEST_CASE("a file that cannot be written is a named error, and leaves the old one and no trace") {
  const Folder folder;
  const std::string nowhere = folder / "no/such/folder.safetensors";
  check_fails([&] { save(nowhere, model_of(1)); }, nowhere, {"cannot be written"});
  // A folder in the place of the file: all is written, and the last step, giving it its name, fails.
  const std::string taken = folder / "taken";
  std::filesystem::create_directory(taken);
  check_fails([&] { save(taken, model_of(1)); }, taken, {"cannot be written"});
  CHECK(folder.files() == 1);
  if (access("/dev/full", W_OK) == 0) {
    const std::string path = folder / "full.safetensors";
    write(path, "old");
    std::filesystem::create_symlink("/dev/full", path + "." + std::to_string(getpid()) + ".tmp");
    check_fails([&] { save(path, model_of(1)); }, path, {"cannot be written"});
    CHECK(read(path) == "old");
    CHECK(folder.files() == 2);
  }
}

TEST_CASE("a saved file replaces the one before") {
  const Folder folder;
  const std::string path = folder / "model.safetensors";
  save(path, model_of(1));
  save(path, model_of(2));
  Model model = model_of(3);
  load(path, model);
  CHECK(same_bits(model.first.weight, model_of(2).first.weight));
  CHECK(folder.files() == 1);
}

TEST_CASE("two tensors of one name cannot be saved, nor one that is called as the metadata are") {
  const Folder folder;
  const Var x(Tensor::zeros({1}));
  const std::string path = folder / "a.safetensors";
  check_throws_with([&] { save_tensors(path, {{"a", x}, {"a", x}}); }, {path, "\"a\""});
  check_throws_with([&] { save_tensors(path, {{"__metadata__", x}}); }, {path, "\"__metadata__\""});
  check_throws_with([&] { save_tensors(path, {{"\xff", x}}); }, {path, "UTF-8"});
  check_throws_with([&] { save_tensors(path, {{"a", Var()}}); }, {"tensor", "undefined"});
  CHECK(folder.files() == 0);
}
