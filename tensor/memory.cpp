#include "tensor/memory.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <new>
#include <vector>

#include "tensor/live.hpp"

namespace attend {
namespace {

std::atomic<std::ptrdiff_t> live_nodes{0}, live_blocks{0}, live_bytes{0}, peak_bytes{0};

void count_block(int change, std::size_t bytes) {
  const auto size = static_cast<std::ptrdiff_t>(bytes);
  live_blocks.fetch_add(change, std::memory_order_relaxed);
  const std::ptrdiff_t now = live_bytes.fetch_add(change * size, std::memory_order_relaxed) + change * size;
  std::ptrdiff_t peak = peak_bytes.load(std::memory_order_relaxed);
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

constexpr std::size_t cache_line = 64;

void* allocate(std::size_t bytes) {
  void* memory = std::aligned_alloc(cache_line, bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}

#ifdef ATTEND_POISON

std::size_t block_size(std::size_t bytes) { return (bytes + cache_line - 1) / cache_line * cache_line; }

void* take(std::size_t bytes) {
  void* memory = allocate(bytes);
  double* numbers = static_cast<double*>(memory);
  for (std::size_t i = 0; i < bytes / sizeof(double); ++i) numbers[i] = std::numeric_limits<double>::quiet_NaN();
  return memory;
}

void give_back(void* memory, std::size_t) { std::free(memory); }

#else

// Block sizes are powers of two and the three quarter steps between them, so that at most a fifth of a block is unused,
// or less than a cache line.
std::size_t size_class(std::size_t bytes) {
  std::size_t power = cache_line, index = 0;
  while (power < bytes) power *= 2, index += 4;
  if (power == cache_line) return 0;
  const std::size_t quarter = power / 8;
  while (power - quarter >= bytes) power -= quarter, --index;
  return index;
}

std::size_t block_size(std::size_t bytes) {
  const std::size_t index = size_class(bytes), steps = index % 4;
  const std::size_t below = cache_line << (index / 4);
  const std::size_t size = steps == 0 ? below : below + below / 4 * steps;
  return (size + cache_line - 1) / cache_line * cache_line;
}

struct Idle {
  std::mutex lock;
  std::vector<void*> blocks[256];
  std::size_t bytes = 0;
};

Idle& idle() {
  static Idle* const never_destroyed = new Idle;  // tensors with static lifetime give their blocks back after main
  return *never_destroyed;
}

void free_all(Idle& pool) {
  for (auto& blocks : pool.blocks) {
    for (void* memory : blocks) std::free(memory);
    blocks.clear();
  }
  pool.bytes = 0;
}

// What is held, live and idle, stays below this: more than the peak, because blocks of one size are idle while others
// are live, and a step that is done again should find all its blocks. A page that comes anew from the system costs
// about as much as computing with it.
std::size_t most_held() {
  constexpr std::size_t always = std::size_t{64} << 20;
  const auto peak = static_cast<std::size_t>(peak_bytes.load(std::memory_order_relaxed));
  return always + peak + peak / 4;
}

void* take(std::size_t bytes) {
  Idle& pool = idle();
  {
    std::lock_guard<std::mutex> guard(pool.lock);
    auto& blocks = pool.blocks[size_class(bytes)];
    if (!blocks.empty()) {
      void* memory = blocks.back();
      blocks.pop_back();
      pool.bytes -= bytes;
      return memory;
    }
    const auto live = static_cast<std::size_t>(live_bytes.load(std::memory_order_relaxed));
    if (live + pool.bytes + bytes > most_held()) free_all(pool);
  }
  return allocate(bytes);
}

void give_back(void* memory, std::size_t bytes) {
  Idle& pool = idle();
  std::lock_guard<std::mutex> guard(pool.lock);
  pool.blocks[size_class(bytes)].push_back(memory);
  pool.bytes += bytes;
  if (pool.bytes > most_held()) free_all(pool);
}

#endif

struct GiveBack {
  std::size_t size;
  void operator()(void* block) const {
    count_block(-1, size);
    give_back(block, size);
  }
};

}  // namespace

std::shared_ptr<void> new_block(std::size_t bytes) {
  const std::size_t size = block_size(bytes);
  void* memory = take(size);
  count_block(+1, size);
  return std::shared_ptr<void>(memory, GiveBack{size});
}

std::size_t block_bytes(const std::shared_ptr<void>& block) { return std::get_deleter<GiveBack>(block)->size; }

Live live() { return {live_nodes, live_blocks, live_bytes, peak_bytes}; }
void reset_peak() { peak_bytes = live_bytes.load(); }
void count_node(int change) { live_nodes.fetch_add(change, std::memory_order_relaxed); }

}  // namespace attend
