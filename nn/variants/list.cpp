#include "nn/variants/variant.hpp"

namespace attend {

const std::vector<Family>& families() {
  static const std::vector<Family> all = {sparse_family(),  low_rank_family(),  kernel_family(),
                                          hashing_family(), structure_family(), dynamic_family()};
  return all;
}

}  // namespace attend
