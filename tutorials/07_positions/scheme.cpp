#include "tutorials/07_positions/scheme.hpp"

namespace attend::chapter07 {

std::string name_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::none:
      return "none";
    case Scheme::sinusoidal:
      return "sinusoidal";
    case Scheme::learned:
      return "learned";
    case Scheme::rotary:
      return "rotary";
    case Scheme::relative:
      return "relative";
    case Scheme::buckets:
      return "T5 buckets";
    case Scheme::alibi:
      return "ALiBi";
  }
  return "";
}

Scheme scheme_of(Fault fault) {
  switch (fault) {
    case Fault::none:
      return Scheme::none;
    case Fault::rotary_queries_only:
    case Fault::rotary_values_too:
      return Scheme::rotary;
    case Fault::positions_last:
      return Scheme::sinusoidal;
    case Fault::mirrored_distance:
      return Scheme::buckets;
  }
  return Scheme::none;
}

}  // namespace attend::chapter07
