#include "nn/variants/heads.hpp"

namespace attend {

Family dynamic_family() {
  Family family;
  family.name = "dynamic";
  return family;
}

}  // namespace attend
