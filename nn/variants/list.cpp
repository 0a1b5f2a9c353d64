#include "nn/variants/variant.hpp"

namespace attend {

const std::vector<Family>& families() {
  static const std::vector<Family> all = {sparse_family()};
  return all;
}

}  // namespace attend
