#include "nn/variants/heads.hpp"

namespace attend {

Family hashing_family() {
  Family family;
  family.name = "hashing";
  return family;
}

}  // namespace attend
