#include "nn/variants/heads.hpp"

namespace attend {

Family low_rank_family() {
  Family family;
  family.name = "low rank";
  return family;
}

}  // namespace attend
