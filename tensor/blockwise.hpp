// How blockwise attention is to run: what its op and its kernels are told beside queries, keys and values.
#pragma once
#include "tensor/tensor.hpp"

namespace attend {

struct Blockwise {
  double scale = 1;     // of the scores
  Tensor mask = {};     // bool, broadcasts to the scores [..., Tq, Tk]; true = may attend
  bool causal = false;  // query i sees key j only where j <= i + (Tk − Tq): the last query sees all
  Size block = 192;     // queries, and keys, of a tile: 144 KiB, which a cache holds; multiples of 48 suit OpenBLAS
};

}  // namespace attend
