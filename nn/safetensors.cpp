#include "nn/safetensors.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "tensor/whole_file.hpp"

namespace attend {
namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, DType> dtypes = {{"F32", DType::float32}, {"F64", DType::float64},
                                             {"F16", DType::float16}, {"BF16", DType::bfloat16},
                                             {"I64", DType::int64},   {"BOOL", DType::boolean}};

std::string dtype_name(DType dtype) {
  for (const auto& [name, value] : dtypes) {
    if (value == dtype) return name;
  }
  return "?";
}

[[noreturn]] void fail(const std::string& path, const std::string& why) { throw std::runtime_error(path + ": " + why); }

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

const void* bytes_of(const Tensor& x) {
  switch (x.dtype()) {
    case DType::float32:
      return x.data<float>();
    case DType::float64:
      return x.data<double>();
    case DType::float16:
      return x.data<Float16>();
    case DType::bfloat16:
      return x.data<BFloat16>();
    case DType::int64:
      return x.data<std::int64_t>();
    case DType::boolean:
      break;
  }
  return x.data<bool>();
}

std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "cannot be opened");
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

Json parsed_header(const std::string& path, const std::string& content, std::size_t& data_begin) {
  std::uint64_t length = 0;
  if (content.size() < sizeof length) fail(path, "is too short for a safetensors file");
  std::memcpy(&length, content.data(), sizeof length);
  if (length > content.size() - sizeof length) {
    fail(path, "is cut short: the header has " + std::to_string(length) + " bytes, " +
                   std::to_string(content.size() - sizeof length) + " are there");
  }
  data_begin = sizeof length + static_cast<std::size_t>(length);
  // What is nested deeper than any header is passed over: a value 100,000 deep would take as deep a recursion to copy.
  const auto flat = [](int depth, Json::parse_event_t, Json&) { return depth <= 4; };
  Json header = Json::parse(content.begin() + sizeof length, content.begin() + static_cast<std::ptrdiff_t>(data_begin),
                            flat, false);
  if (!header.is_object()) fail(path, "has no JSON header");
  return header;
}

// The entries of the header, in the order of their bytes: other writers may list them in another one.
std::vector<std::pair<std::string, Json>> by_place(const Json& header) {
  std::vector<std::pair<std::string, Json>> entries;
  for (const auto& [name, entry] : header.items()) {
    if (name != "__metadata__") entries.emplace_back(name, entry);
  }
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.second.at("data_offsets") < b.second.at("data_offsets");
  });
  return entries;
}

// A shape whose bytes can be counted, so that no number of the file can overflow one of ours.
Shape parsed_shape(const std::string& path, const std::string& name, const Json& sizes, Size bytes_per_element) {
  Shape shape;
  Size bytes = bytes_per_element;
  bool fits = sizes.is_array() && static_cast<Size>(sizes.size()) <= max_rank;
  for (std::size_t i = 0; fits && i < sizes.size(); ++i) {
    constexpr Size most = Size{1} << 60;
    fits = sizes[i].is_number_unsigned() && sizes[i].get<std::uint64_t>() <= most;
    if (!fits) break;
    shape.push_back(sizes[i].get<Size>());
    fits = shape.back() == 0 || bytes <= most / shape.back();
    bytes *= fits ? std::max<Size>(1, shape.back()) : 1;
  }
  if (!fits) fail(path, quoted(name) + " has the shape " + sizes.dump());
  return shape;
}

// The tensor of one entry of the header. Its bytes begin where those of the tensor before end, at `expected_begin`,
// which moves on: the format has neither gaps nor overlaps.
Tensor parsed_tensor(const std::string& path, const std::string& name, const Json& entry, const std::string& content,
                     std::size_t data_begin, std::size_t& expected_begin) {
  const auto dtype = dtypes.find(entry.at("dtype").get<std::string>());
  if (dtype == dtypes.end()) fail(path, quoted(name) + " has the dtype " + entry.at("dtype").dump());
  const Shape shape = parsed_shape(path, name, entry.at("shape"), width(dtype->second));
  const Json& offsets = entry.at("data_offsets");
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned()) {
    fail(path, quoted(name) + " has the offsets " + offsets.dump());
  }
  const auto begin = offsets[0].get<std::size_t>(), end = offsets[1].get<std::size_t>();
  if (begin != expected_begin) {
    fail(path, quoted(name) + " begins at byte " + std::to_string(begin) + " of the data, where byte " +
                   std::to_string(expected_begin) + " is next");
  }
  const auto size = static_cast<std::size_t>(element_count(shape) * width(dtype->second));
  if (end < begin || end - begin != size) {
    fail(path, quoted(name) + " has other bytes than its shape " + text(shape) + ": " + offsets.dump());
  }
  if (end > content.size() - data_begin) fail(path, "is cut short within " + quoted(name));
  const char* bytes = content.data() + data_begin + begin;
  const bool is_bool = dtype->second == DType::boolean;
  if (is_bool && std::any_of(bytes, bytes + size, [](char byte) { return byte != 0 && byte != 1; })) {
    fail(path, quoted(name) + " holds a bool that is neither 0 nor 1");
  }
  Tensor tensor = Tensor::uninitialized(shape, dtype->second);
  std::memcpy(const_cast<void*>(bytes_of(tensor)), bytes, size);
  expected_begin = end;
  return tensor;
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return std::memcmp(bytes_of(a), bytes_of(b), static_cast<std::size_t>(a.size() * width(a.dtype()))) == 0;
}

}  // namespace

void save_tensors(const std::string& path, const std::vector<NamedVar>& tensors) {
  Json header = Json::object();
  std::size_t offset = 0;
  for (const auto& [name, var] : tensors) {
    if (name == "__metadata__" || header.contains(name)) {
      throw std::invalid_argument(path + ": " + quoted(name) + " is not a name of its own");
    }
    const auto size = static_cast<std::size_t>(var.size() * width(var.dtype()));
    header[name] = {{"dtype", dtype_name(var.dtype())},
                    {"shape", std::vector<Size>(var.shape().begin(), var.shape().end())},
                    {"data_offsets", {offset, offset + size}}};
    offset += size;
  }
  std::string head;
  try {
    head = header.dump();
  } catch (const Json::exception& error) {
    throw std::invalid_argument(path + ": a name is not UTF-8: " + error.what());
  }
  head.resize((head.size() + 7) / 8 * 8, ' ');  // the data begin at a multiple of 8
  const std::uint64_t length = head.size();

  WholeFile file(path);
  file.stream().write(reinterpret_cast<const char*>(&length), sizeof length);
  file.stream() << head;
  for (const auto& [name, var] : tensors) {
    const Tensor dense = contiguous(var.value());
    file.stream().write(static_cast<const char*>(bytes_of(dense)),
                        static_cast<std::streamsize>(var.size() * width(var.dtype())));
  }
  file.commit();
}

std::vector<std::pair<std::string, Tensor>> load_tensors(const std::string& path) {
  const std::string content = file_content(path);
  std::size_t data_begin = 0;
  const Json header = parsed_header(path, content, data_begin);
  std::vector<std::pair<std::string, Tensor>> tensors;
  try {
    std::size_t next = 0;
    for (const auto& [name, entry] : by_place(header)) {
      tensors.emplace_back(name, parsed_tensor(path, name, entry, content, data_begin, next));
    }
    if (next != content.size() - data_begin) {
      fail(path, "has " + std::to_string(content.size() - data_begin - next) + " bytes that belong to no tensor");
    }
  } catch (const Json::exception& error) {
    fail(path, std::string("has a wrong header: ") + error.what());
  }
  return tensors;
}

std::vector<Tensor> load_matching(const std::string& path, const std::vector<NamedVar>& expected) {
  std::map<std::string, Tensor> found;
  for (auto& [name, tensor] : load_tensors(path)) found.emplace(name, tensor);
  std::vector<Tensor> values;
  std::map<const Node*, std::size_t> tied;  // the first place of each leaf
  for (const auto& [name, var] : expected) {
    const auto entry = found.find(name);
    if (entry == found.end()) fail(path, "has no " + quoted(name) + " " + text(var.shape()));
    const Tensor& value = entry->second;
    if (value.shape() != var.shape() || value.dtype() != var.dtype()) {
      fail(path, quoted(name) + " is " + text(value.dtype()) + " " + text(value.shape()) + ", the model's is " +
                     text(var.dtype()) + " " + text(var.shape()));
    }
    const auto [first, is_first] = tied.try_emplace(var.node().get(), values.size());
    if (!is_first && var.needs_grad() && !same_bytes(value, values[first->second])) {
      fail(path,
           quoted(name) + " differs from " + quoted(expected[first->second].first) + ", to which the model ties it");
    }
    values.push_back(value);
    found.erase(entry);
  }
  if (!found.empty()) fail(path, "has " + quoted(found.begin()->first) + ", which the model has not");
  return values;
}

}  // namespace attend
