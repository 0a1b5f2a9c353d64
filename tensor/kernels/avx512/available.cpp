// Whether these loops can run here.
#include "tensor/inner/avx512.hpp"

namespace attend::avx512 {

bool available() {
#ifdef __AVX512F__
  static const bool has = __builtin_cpu_supports("avx512f");
  return has;
#else
  return false;
#endif
}

}  // namespace attend::avx512
