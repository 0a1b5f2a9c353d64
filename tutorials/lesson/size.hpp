#pragma once

#include <cstddef>

namespace attend::lesson {

/// Counts, columns and indices: signed, as everywhere in attend, so that -1 is -1.
using Size = std::ptrdiff_t;

/// The length of a container or string as a Size.
template <class Container>
Size size_of(const Container& container) {
  return static_cast<Size>(container.size());
}

}  // namespace attend::lesson
