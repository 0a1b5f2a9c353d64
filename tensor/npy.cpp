#include "tensor/npy.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "tensor/inner/dispatch.hpp"
#include "tensor/whole_file.hpp"

namespace attend {
namespace {

// The file: "\x93NUMPY", the version (2 bytes), the length of the header (2 bytes, from version 2.0 on 4), the header
// (a Python dict in text), the elements.
const std::string magic = "\x93NUMPY";

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw std::runtime_error(path + ": " + what);
}

std::string whole_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, std::string("cannot be opened: ") + std::strerror(errno));
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!bytes) fail(path, "cannot be read, or is empty");
  return bytes.str();
}

struct Header {
  std::string descr;  // byte order, kind and width: "<f4"
  bool fortran_order = false;
  Shape shape;
};

// Reads   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   with the keys in any order.
class HeaderParser {
 public:
  HeaderParser(const std::string& path, const std::string& text)
      : path_(path), text_(text.substr(0, text.find_last_not_of(" \n") + 1)) {}

  Header parse() {
    Header header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        if (next() == '[') fail(path_, "the dtype has fields, which a tensor has not: " + text_);
        header.descr = quoted();
        descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = truth();
        order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        shape = true;
      } else {
        malformed();
      }
      if (!accept(',') && next() != '}') malformed();
    }
    if (!descr || !order || !shape) malformed();
    return header;
  }

 private:
  [[noreturn]] void malformed() const { fail(path_, "the header makes no sense: " + text_); }

  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char letter) {
    if (next() != letter) return false;
    ++at_;
    return true;
  }
  void expect(char letter) {
    if (!accept(letter)) malformed();
  }

  std::string quoted() {
    const char quote = next();
    if (quote != '\'' && quote != '"') malformed();
    const std::size_t end = text_.find(quote, ++at_);
    if (end == std::string::npos) malformed();
    const std::string content = text_.substr(at_, end - at_);
    at_ = end + 1;
    return content;
  }

  bool truth() {
    next();
    for (const std::string word : {"True", "False"}) {
      if (text_.compare(at_, word.size(), word) != 0) continue;
      at_ += word.size();
      return word == "True";
    }
    malformed();
  }

  Shape tuple() {
    Shape shape;
    expect('(');
    while (!accept(')')) {
      if (shape.size() == max_rank) fail(path_, "more than 8 axes: " + text_);
      shape.push_back(size());
      if (!accept(',') && next() != ')') malformed();
    }
    return shape;
  }

  Size size() {
    Size value = 0;
    if (next() < '0' || next() > '9') malformed();
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (value > std::numeric_limits<Size>::max() / 10 - 1) malformed();
      value = 10 * value + (text_[at_] - '0');
    }
    return value;
  }

  const std::string& path_;
  const std::string text_;
  std::size_t at_ = 0;
};

DType dtype_named(const std::string& path, const std::string& descr) {
  if (descr == "<f4") return DType::float32;
  if (descr == "<f8") return DType::float64;
  if (descr == "<f2") return DType::float16;
  if (descr == "<i8") return DType::int64;
  if (descr == "|b1") return DType::boolean;
  if (descr == ">f2" || descr == ">f4" || descr == ">f8" || descr == ">i8") {
    fail(path,
         "big-endian elements ('" + descr + "'); in NumPy, x.astype('<" + descr.substr(1) + "') turns them round");
  }
  fail(path, "elements of dtype '" + descr +
                 "'; a tensor has float16 '<f2', float32 '<f4', float64 '<f8', int64 '<i8' or bool '|b1'");
}

const char* name_of(const std::string& path, DType dtype) {
  switch (dtype) {
    case DType::float32:
      return "<f4";
    case DType::float64:
      return "<f8";
    case DType::float16:
      return "<f2";
    case DType::bfloat16:
      throw std::invalid_argument("save_npy: " + path +
                                  ": NumPy has no name for bfloat16; cast to float32, which holds the same numbers");
    case DType::int64:
      return "<i8";
    case DType::boolean:
      break;
  }
  return "|b1";
}

// The bytes that the shape needs. A header may claim anything, so the product is watched.
std::size_t bytes_needed(const std::string& path, const Shape& shape, DType dtype) {
  constexpr Size most = Size{1} << 59;
  Size bytes = width(dtype);
  for (Size size : shape) {
    if (size > most / bytes) fail(path, "the shape " + text(shape) + " is too large");
    bytes *= std::max<Size>(1, size);
  }
  return static_cast<std::size_t>(element_count(shape) * width(dtype));
}

unsigned byte_at(const std::string& bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

// Where the header begins and how long it is.
struct Extent {
  std::size_t begin, length;
};

Extent header_extent(const std::string& path, const std::string& file) {
  const std::size_t start = magic.size() + 2;
  if (file.compare(0, magic.size(), magic) != 0) fail(path, "not a .npy file: it does not begin with \\x93NUMPY");
  if (file.size() < start) fail(path, "cut short: it ends in the version");
  const unsigned major = byte_at(file, magic.size()), minor = byte_at(file, magic.size() + 1);
  if ((major != 1 && major != 2) || minor != 0) {
    fail(path, "format " + std::to_string(major) + "." + std::to_string(minor) + "; only 1.0 and 2.0 are read");
  }
  const std::size_t width_of_length = major == 1 ? 2 : 4;
  std::size_t length = 0;
  if (file.size() < start + width_of_length) fail(path, "cut short: it ends in the length of the header");
  for (std::size_t i = 0; i < width_of_length; ++i) length |= std::size_t{byte_at(file, start + i)} << (8 * i);
  if (file.size() - start - width_of_length < length) fail(path, "cut short: it ends in the header");
  return {start + width_of_length, length};
}

}  // namespace

Tensor load_npy(const std::string& path) {
  const std::string file = whole_file(path);
  const Extent extent = header_extent(path, file);
  const Header header = HeaderParser(path, file.substr(extent.begin, extent.length)).parse();
  const DType dtype = dtype_named(path, header.descr);
  const std::size_t needed = bytes_needed(path, header.shape, dtype);
  const std::size_t there = file.size() - extent.begin - extent.length;
  if (there != needed) {
    fail(path, std::string(there < needed ? "cut short" : "too long") + ": " + text(dtype) + " " + text(header.shape) +
                   " needs " + std::to_string(needed) + " bytes, and there are " + std::to_string(there));
  }

  // In Fortran order the first axis is fastest: it is the transpose of what the bytes are in row-major order.
  Shape shape = header.shape;
  if (header.fortran_order) std::reverse(shape.begin(), shape.end());
  Tensor x = Tensor::uninitialized(shape, dtype);
  const char* bytes = file.data() + extent.begin + extent.length;
  if (dtype == DType::boolean) {  // any byte but 0 is true; as a C++ bool only 1 may be
    std::transform(bytes, bytes + needed, x.writable<bool>(), [](char byte) { return byte != 0; });
  } else if (needed > 0) {
    by_dtype(dtype, [&](auto zero) { std::memcpy(x.writable<decltype(zero)>(), bytes, needed); });
  }
  if (!header.fortran_order) return x;
  Axes order = all_axes(x.rank());
  std::reverse(order.begin(), order.end());
  return contiguous(permute(x, order));
}

void save_npy(const std::string& path, const Tensor& x) {
  if (!x.defined() || !x.has_data()) throw std::invalid_argument("save_npy: " + path + ": a tensor without numbers");
  std::string shape;
  for (Size size : x.shape()) shape += std::to_string(size) + ", ";
  if (x.rank() > 1) shape.resize(shape.size() - 2);  // (2, 3) but (2, )
  std::string header =
      std::string("{'descr': '") + name_of(path, x.dtype()) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  const std::size_t before = magic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');  // so that the elements begin at a multiple of 64
  header += '\n';
  const char length[] = {static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};

  WholeFile file(path);
  file.stream() << magic << '\1' << '\0';
  file.stream().write(length, sizeof length);
  file.stream() << header;
  const Tensor dense = contiguous(x);
  by_dtype(x.dtype(), [&](auto zero) {
    file.stream().write(reinterpret_cast<const char*>(dense.data<decltype(zero)>()), x.size() * width(x.dtype()));
  });
  file.commit();
}

}  // namespace attend
