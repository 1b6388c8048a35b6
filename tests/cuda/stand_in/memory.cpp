// SPDX-License-Identifier: MIT
#include "cuda/stand_in/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace stand_in {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t reserved_bytes = std::size_t{1} << 38;
constexpr int noise = 0xA5;
constexpr std::size_t noisy_bytes = 1 << 20;  // of large allocations only the beginning

std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

}  // namespace

Memory::Memory() {
  void* const mapped = ::mmap(nullptr, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    std::perror("stand-in driver: mmap");
    std::abort();
  }
  base_ = static_cast<char*>(mapped);
}

Memory::~Memory() { ::munmap(base_, reserved_bytes); }

std::size_t Memory::capacity(int device) { return std::size_t{device == 0 ? 80U : 32U} << 30; }

std::size_t Memory::in_use(int device) const {
  std::size_t sum = 0;
  for (const auto& [start, block] : blocks_) sum += block.device == device ? block.bytes : 0;
  return sum;
}

void* Memory::allocate(int device, std::size_t bytes) {
  if (bytes > capacity(device) - in_use(device)) return nullptr;
  char* const start = base_ + used_;
  const Block block{device, bytes, whole_pages(bytes)};
  used_ += block.pages_bytes + page;
  blocks_.emplace(start, block);
  const Opened opened(*this);
  ::mprotect(start, block.pages_bytes, PROT_READ | PROT_WRITE);
  std::memset(start, noise, std::min(bytes, noisy_bytes));
  return start;
}

bool Memory::deallocate(const void* pointer) {
  const auto found = blocks_.find(static_cast<const char*>(pointer));
  if (found == blocks_.end()) return false;
  char* const start = const_cast<char*>(found->first);
  ::mprotect(start, found->second.pages_bytes, PROT_NONE);
  ::madvise(start, found->second.pages_bytes, MADV_DONTNEED);
  blocks_.erase(found);
  return true;
}

void Memory::add_variable(int device, const void* pointer, std::size_t bytes) {
  variables_[static_cast<const char*>(pointer)] = {device, bytes, 0};
}

const Memory::Blocks::value_type* Memory::find(const Blocks& blocks, const void* pointer) {
  auto after = blocks.upper_bound(static_cast<const char*>(pointer));
  if (after == blocks.begin()) return nullptr;
  --after;
  return static_cast<const char*>(pointer) < after->first + after->second.bytes ? &*after : nullptr;
}

int Memory::device_of(const void* pointer, std::size_t bytes) const {
  const auto* found = find(blocks_, pointer);
  if (found == nullptr) found = find(variables_, pointer);
  if (found == nullptr) return -1;
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(pointer) - found->first);
  return bytes <= found->second.bytes - offset ? found->second.device : -1;
}

bool Memory::is_device_address(const void* pointer) const {
  const auto* const address = static_cast<const char*>(pointer);
  return address >= base_ && address < base_ + reserved_bytes;
}

std::string Memory::leaks() const {
  std::string text;
  for (const auto& [start, block] : blocks_) text += "leak of " + std::to_string(block.bytes) + " bytes\n";
  return text;
}

void* Memory::allocate_pinned(std::size_t bytes) {
  std::vector<char> data(bytes);
  char* const start = data.data();
  pinned_.emplace(start, std::move(data));
  return start;
}

bool Memory::deallocate_pinned(void* pointer) { return pinned_.erase(static_cast<char*>(pointer)) == 1; }

bool Memory::is_pinned(const void* pointer) const {
  const auto* const address = static_cast<const char*>(pointer);
  auto after = pinned_.upper_bound(address);
  if (after == pinned_.begin()) return false;
  --after;
  return address < after->first + after->second.size();
}

void Memory::open() {
  if (opened_++ > 0) return;
  for (const auto& [start, block] : blocks_) {
    ::mprotect(const_cast<char*>(start), block.pages_bytes, PROT_READ | PROT_WRITE);
  }
}

void Memory::close() {
  if (--opened_ > 0) return;
  for (const auto& [start, block] : blocks_) ::mprotect(const_cast<char*>(start), block.pages_bytes, PROT_NONE);
}

}  // namespace stand_in
