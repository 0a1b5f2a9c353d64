#include "nn/variants/heads.hpp"

namespace attend {

Family structure_family() {
  Family family;
  family.name = "structure";
  return family;
}

}  // namespace attend
