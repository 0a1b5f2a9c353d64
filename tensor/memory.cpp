#include "tensor/memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <new>
#include <vector>

#include "tensor/live.hpp"

namespace attend {
namespace {

std::atomic<std::ptrdiff_t> live_nodes{0};

// What is alive, and what is idle: the blocks of each size class. One lock is quicker than an atomic number for each.
struct Pool {
  std::mutex lock;
  Live live;  // but for its nodes
  std::size_t idle_bytes = 0;
  std::vector<void*> idle[256];
};

Pool& pool() {
  static Pool* const never_destroyed = new Pool;  // tensors with static lifetime give their blocks back after main
  return *never_destroyed;
}

void count_block(Live& live, int change, std::size_t bytes) {
  live.blocks += change;
  live.bytes += change * static_cast<std::ptrdiff_t>(bytes);
  live.peak_bytes = std::max(live.peak_bytes, live.bytes);
}

constexpr std::size_t cache_line = 64;

void* allocate(std::size_t bytes) {
  void* memory = std::aligned_alloc(cache_line, bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}

// Whether what is free could be noted as idle. Where memory has run out it cannot, but whoever frees must not throw.
bool noted(std::vector<void*>& idle, void* memory) {
  try {
    idle.push_back(memory);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

#ifdef ATTEND_POISON

std::size_t block_size(std::size_t bytes) { return (bytes + cache_line - 1) / cache_line * cache_line; }

// An object that is used after its end is noticed where the system has it back.
constexpr std::size_t most_idle_objects = 0;

void* take(Pool&, std::size_t bytes) {
  void* memory = allocate(bytes);
  double* numbers = static_cast<double*>(memory);
  for (std::size_t i = 0; i < bytes / sizeof(double); ++i) numbers[i] = std::numeric_limits<double>::quiet_NaN();
  return memory;
}

void give_back(Pool&, void* memory, std::size_t) { std::free(memory); }

#else

constexpr std::size_t most_idle_objects = 1024;  // of a size

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

void free_all(Pool& pool) {
  for (auto& blocks : pool.idle) {
    for (void* memory : blocks) std::free(memory);
    blocks.clear();
  }
  pool.idle_bytes = 0;
}

// What is held, live and idle, stays below this: more than the peak, because blocks of one size are idle while others
// are live, and a step that is done again should find all its blocks. A page that comes anew from the system costs
// about as much as computing with it.
std::size_t most_held(const Pool& pool) {
  constexpr std::size_t always = std::size_t{64} << 20;
  const auto peak = static_cast<std::size_t>(pool.live.peak_bytes);
  return always + peak + peak / 4;
}

void* take(Pool& pool, std::size_t bytes) {
  auto& blocks = pool.idle[size_class(bytes)];
  if (!blocks.empty()) {
    void* memory = blocks.back();
    blocks.pop_back();
    pool.idle_bytes -= bytes;
    return memory;
  }
  const auto live = static_cast<std::size_t>(pool.live.bytes);
  if (live + pool.idle_bytes + bytes > most_held(pool)) free_all(pool);
  try {
    return allocate(bytes);
  } catch (const std::bad_alloc&) {
    free_all(pool);  // what is idle may be what the system lacks
    return allocate(bytes);
  }
}

void give_back(Pool& pool, void* memory, std::size_t bytes) {
  if (!noted(pool.idle[size_class(bytes)], memory)) return std::free(memory);
  pool.idle_bytes += bytes;
  if (pool.idle_bytes > most_held(pool)) free_all(pool);
}

#endif

// Objects of up to 64, 128, ... bytes that this thread has freed. Other objects may outlive them, at its end.
thread_local bool thread_ends = false;
struct IdleObjects {
  std::vector<void*> of_size[8];
  ~IdleObjects() {
    thread_ends = true;
    for (auto& objects : of_size) {
      for (void* object : objects) ::operator delete(object);
    }
  }
};

std::vector<void*>* idle_objects(std::size_t bytes) {
  thread_local IdleObjects idle;
  const std::size_t index = (bytes - 1) / cache_line;
  return thread_ends || index >= std::size(idle.of_size) ? nullptr : &idle.of_size[index];
}

struct GiveBack {
  std::size_t size;
  void operator()(void* block) const {
    std::lock_guard<std::mutex> guard(pool().lock);
    count_block(pool().live, -1, size);
    give_back(pool(), block, size);
  }
};

}  // namespace

std::shared_ptr<void> new_block(std::size_t bytes) {
  const std::size_t size = block_size(bytes);
  void* memory = nullptr;
  {
    std::lock_guard<std::mutex> guard(pool().lock);
    memory = take(pool(), size);
    count_block(pool().live, +1, size);
  }
  return std::shared_ptr<void>(memory, GiveBack{size}, Recycling<char>());
}

void* new_object(std::size_t bytes) {
  auto* idle = idle_objects(bytes);
  if (!idle || idle->empty()) return ::operator new((bytes + cache_line - 1) / cache_line * cache_line);
  void* object = idle->back();
  idle->pop_back();
  return object;
}

void free_object(void* object, std::size_t bytes) {
  auto* idle = idle_objects(bytes);
  const bool kept = idle && idle->size() < most_idle_objects && noted(*idle, object);
  if (!kept) ::operator delete(object);
}

std::size_t block_bytes(const std::shared_ptr<void>& block) { return std::get_deleter<GiveBack>(block)->size; }

Live live() {
  std::lock_guard<std::mutex> guard(pool().lock);
  Live now = pool().live;
  now.nodes = live_nodes;
  return now;
}

void reset_peak() {
  std::lock_guard<std::mutex> guard(pool().lock);
  pool().live.peak_bytes = pool().live.bytes;
}

void count_node(int change) { live_nodes.fetch_add(change, std::memory_order_relaxed); }

}  // namespace attend
