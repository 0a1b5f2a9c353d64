// Parameters and buffers in files, in the safetensors format: a JSON header with name, dtype and shape of every tensor,
// then their bytes, little-endian. Other frameworks read and write it too.
#pragma once
#include <string>
#include <vector>

#include "nn/parameters.hpp"

namespace attend {

/// Writes the tensors. The file appears whole or not at all: it is written under another name first.
/// Throws std::runtime_error, with the file's name, when it cannot be written; std::invalid_argument when two tensors
/// have the same name, and for a name that is not UTF-8.
void save_tensors(const std::string& path, const std::vector<NamedVar>& tensors);

/// All tensors of a file. Throws std::runtime_error, with the file's name and what is wrong, for a file that is
/// missing, cut short or not in the format. They come in the order of their bytes.
std::vector<std::pair<std::string, Tensor>> load_tensors(const std::string& path);

/// The tensors of a file for parameters of these names, shapes and dtypes, in their order. Throws std::runtime_error
/// that names the first difference. Values under the names of one tied parameter must agree.
std::vector<Tensor> load_matching(const std::string& path, const std::vector<NamedVar>& expected);

/// What a layer's file holds: its parameters, then its buffers.
template <class Layer>
std::vector<NamedVar> named_tensors(const Layer& layer) {
  std::vector<NamedVar> named = named_parameters(layer);
  for (const NamedVar& buffer : named_buffers(layer)) named.push_back(buffer);
  return named;
}

/// Saves and loads what a layer learns, and its buffers, bit for bit. When the file does not match, `load` throws and
/// the layer is as before.
template <class Layer>
void save(const std::string& path, const Layer& layer) {
  save_tensors(path, named_tensors(layer));
}
template <class Layer>
void load(const std::string& path, Layer& layer) {
  const std::vector<NamedVar> named = named_tensors(layer);
  const std::vector<Tensor> values = load_matching(path, named);
  rebind(layer, [&](const Var& parameter, std::size_t) {
    std::size_t i = 0;
    while (named[i].second.node() != parameter.node()) ++i;
    return values[i];
  });
  std::size_t next = named_parameters(layer).size();
  each_buffer(layer, [&](const std::string&, Tensor& buffer) { buffer = values[next++]; });
}

}  // namespace attend
