// Whether these loops can run here, and may: ATTEND_AVX512=off in the environment leaves all work to the first forms.
#include <cstdlib>
#include <cstring>

#include "tensor/inner/avx512.hpp"

namespace attend::avx512 {

bool available() {
#ifdef __AVX512F__
  static const char* const wish = std::getenv("ATTEND_AVX512");
  static const bool has = __builtin_cpu_supports("avx512f") && !(wish && std::strcmp(wish, "off") == 0);
  return has;
#else
  return false;
#endif
}

}  // namespace attend::avx512
