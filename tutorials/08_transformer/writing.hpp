#pragma once
#include "nn/decoding.hpp"
#include "tutorials/08_transformer/transformer.hpp"

/// A transformer as decoding asks for it: the last word of each text in, the probabilities of the next one out.

namespace attend::chapter08 {

/// Each step reads the last word alone; keys and values of those before are in the cache. `weights`, where given, gets
/// the mean of the heads, [B, 1, Tx], of every step. The model must outlive the result.
NextSymbol with_cache(const Transformer& model, const Tensor& source, const std::vector<Size>& lengths,
                      std::vector<Tensor>* weights = nullptr);

/// The same without a cache: each step reads all words again from the first.
NextSymbol without_cache(const Transformer& model, const Tensor& source, const std::vector<Size>& lengths);

}  // namespace attend::chapter08
