// Where the blocks of tensors come from. Included by tensor/*.cpp only.
#pragma once
#include <cstddef>
#include <memory>

namespace attend {

/// A block of at least `bytes` bytes, aligned to a cache line. Freed blocks are kept and handed out again, because
/// fresh large pages cost more than the arithmetic on them. What is held, live and idle, stays below a quarter more
/// than was alive at the peak, and 64 MiB: otherwise, and where the system has no more, all idle blocks go back to it.
/// With ATTEND_POISON there is no recycling and every block arrives full of NaN, so that a read of something unwritten
/// shows.
std::shared_ptr<void> new_block(std::size_t bytes);

/// The size of a block of `new_block`: at most a fifth, or a cache line, more than was asked for.
std::size_t block_bytes(const std::shared_ptr<void>& block);

/// Memory for a small object. Each thread keeps what it has freed for its next objects of that size.
void* new_object(std::size_t bytes);
void free_object(void* object, std::size_t bytes);

/// The allocator of what comes and goes with every tensor, its layout and the count of its owners.
template <class T>
struct Recycling {
  using value_type = T;
  Recycling() = default;
  template <class U>
  Recycling(const Recycling<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(new_object(count * sizeof(T))); }
  void deallocate(T* object, std::size_t count) { free_object(object, count * sizeof(T)); }
  friend bool operator==(const Recycling&, const Recycling&) { return true; }
  friend bool operator!=(const Recycling&, const Recycling&) { return false; }
};

}  // namespace attend
