#include "nn/safetensors.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace attend {
namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, DType> dtypes = {
    {"F32", DType::float32}, {"F64", DType::float64}, {"I64", DType::int64}, {"BOOL", DType::boolean}};

std::string dtype_name(DType dtype) {
  for (const auto& [name, value] : dtypes) {
    if (value == dtype) return name;
  }
  return "?";
}

[[noreturn]] void fail(const std::string& path, const std::string& why) { throw std::runtime_error(path + ": " + why); }

const void* bytes_of(const Tensor& x) {
  switch (x.dtype()) {
    case DType::float32:
      return x.data<float>();
    case DType::float64:
      return x.data<double>();
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
  Json header = Json::parse(content.begin() + sizeof length, content.begin() + static_cast<std::ptrdiff_t>(data_begin),
                            nullptr, false);
  if (!header.is_object()) fail(path, "has no JSON header");
  return header;
}

Tensor parsed_tensor(const std::string& path, const std::string& name, const Json& entry, const std::string& content,
                     std::size_t data_begin) {
  const auto dtype = dtypes.find(entry.at("dtype").get<std::string>());
  if (dtype == dtypes.end()) fail(path, "\"" + name + "\" has the dtype " + entry.at("dtype").dump());
  Shape shape;
  for (const Json& size : entry.at("shape")) shape.push_back(size.get<Size>());
  for (Size size : shape) {
    if (size < 0) fail(path, "\"" + name + "\" has the shape " + text(shape));
  }
  const auto begin = entry.at("data_offsets").at(0).get<std::size_t>();
  const auto end = entry.at("data_offsets").at(1).get<std::size_t>();
  const auto size = static_cast<std::size_t>(element_count(shape) * width(dtype->second));
  if (end < begin || end - begin != size) fail(path, "\"" + name + "\" has other bytes than its shape " + text(shape));
  if (end > content.size() - data_begin) fail(path, "is cut short within \"" + name + "\"");
  Tensor tensor = Tensor::uninitialized(shape, dtype->second);
  std::memcpy(const_cast<void*>(bytes_of(tensor)), content.data() + data_begin + begin, size);
  return tensor;
}

}  // namespace

void save_tensors(const std::string& path, const std::vector<NamedVar>& tensors) {
  Json header = Json::object();
  std::size_t offset = 0;
  for (const auto& [name, var] : tensors) {
    const auto size = static_cast<std::size_t>(var.size() * width(var.dtype()));
    header[name] = {{"dtype", dtype_name(var.dtype())},
                    {"shape", std::vector<Size>(var.shape().begin(), var.shape().end())},
                    {"data_offsets", {offset, offset + size}}};
    offset += size;
  }
  std::string head = header.dump();
  head.resize((head.size() + 7) / 8 * 8, ' ');  // the data begin at a multiple of 8
  const std::uint64_t length = head.size();

  const std::string unfinished = path + ".tmp";
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(&length), sizeof length);
  file << head;
  for (const auto& [name, var] : tensors) {
    const Tensor dense = contiguous(var.value());
    file.write(static_cast<const char*>(bytes_of(dense)),
               static_cast<std::streamsize>(var.size() * width(var.dtype())));
  }
  file.close();
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    std::remove(unfinished.c_str());
    fail(path, "cannot be written");
  }
}

std::vector<std::pair<std::string, Tensor>> load_tensors(const std::string& path) {
  const std::string content = file_content(path);
  std::size_t data_begin = 0;
  const Json header = parsed_header(path, content, data_begin);
  std::vector<std::pair<std::string, Tensor>> tensors;
  try {
    for (const auto& [name, entry] : header.items()) {
      if (name != "__metadata__") tensors.emplace_back(name, parsed_tensor(path, name, entry, content, data_begin));
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
  for (const auto& [name, var] : expected) {
    const auto entry = found.find(name);
    if (entry == found.end()) fail(path, "has no \"" + name + "\" " + text(var.shape()));
    const Tensor& value = entry->second;
    if (value.shape() != var.shape() || value.dtype() != var.dtype()) {
      fail(path, "\"" + name + "\" is " + text(value.dtype()) + " " + text(value.shape()) + ", the model's is " +
                     text(var.dtype()) + " " + text(var.shape()));
    }
    values.push_back(value);
    found.erase(entry);
  }
  if (!found.empty()) fail(path, "has \"" + found.begin()->first + "\", which the model has not");
  return values;
}

}  // namespace attend
