#include "nn/variants/heads.hpp"

namespace attend {

Family kernel_family() {
  Family family;
  family.name = "kernel";
  return family;
}

}  // namespace attend
