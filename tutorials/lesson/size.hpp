#pragma once

#include "tensor/shape.hpp"

namespace attend::lesson {

using attend::Size;

/// The length of a container or string as a Size.
template <class Container>
Size size_of(const Container& container) {
  return static_cast<Size>(container.size());
}

}  // namespace attend::lesson
