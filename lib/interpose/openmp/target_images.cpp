// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/openmp/target_images.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/binding/dynamic_symbols.hpp"
#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/real.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

// As LLVM's compilers up to 19 lay them out.
struct Entry {
  void* address;
  const char* name;
  std::size_t size;
  std::int32_t flags, data;
};
struct Description {
  std::int32_t images;
  void* first_image;
  const Entry* begin;
  const Entry* end;
};
constexpr std::int32_t requirements = 0x10, unified_shared_memory = 0x8;

/// Later ones begin with a word that is zero, and have a version next.
bool is_of_a_later_version(const Entry& entry) noexcept {
  return entry.address == nullptr && (reinterpret_cast<std::uintptr_t>(entry.name) & 0xffff) == 1;
}

memory::SpinLock lock;
constinit std::atomic<bool> one_memory{false};
/// Never destroyed: programs end in many ways.
std::vector<std::span<const Entry>>& registered() {
  static auto* const all = new std::vector<std::span<const Entry>>;
  return *all;
}
std::vector<Address>& seen_images() {
  static auto* const all = new std::vector<Address>;
  return *all;
}

int look(dl_phdr_info* module, std::size_t, void* result) {
  const auto* const code =
      std::find_if(module->dlpi_phdr, module->dlpi_phdr + module->dlpi_phnum,
                   [](const auto& part) { return part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0; });
  if (code == module->dlpi_phdr + module->dlpi_phnum) return 0;
  const Address begin = module->dlpi_addr + code->p_vaddr;
  if (!modules::device_images.contains(begin) || std::ranges::count(seen_images(), begin) != 0) return 0;
  seen_images().push_back(begin);
  for (const std::span<const Entry> entries : registered())
    for (const Entry& entry : entries) {
      if (entry.address == nullptr || entry.size == 0 || entry.flags != 0) continue;
      if (const Address there = defined_at(*module, entry.name); there != 0)
        static_cast<std::vector<target_images::Declared>*>(result)->push_back(
            {reinterpret_cast<Address>(entry.address), there, entry.size});
    }
  return 0;
}

void note(const Description& description) {
  const std::span entries(description.begin, description.end);
  if (std::ranges::any_of(entries, is_of_a_later_version)) return;
  for (const Entry& entry : entries)
    if (entry.flags == requirements && (entry.data & unified_shared_memory) != 0) one_memory = true;
  const memory::SpinGuard guard(lock);
  registered().push_back(entries);
}

constinit Real<void(Description*)> real_register{"__tgt_register_lib"};
constinit Real<void*(std::size_t, int)> real_alloc_host{"llvm_omp_target_alloc_host"};
constinit Real<void*(std::size_t, int)> real_alloc_shared{"llvm_omp_target_alloc_shared"};
[[gnu::tls_model("initial-exec")]] constinit thread_local bool of_both = false;

template <class Allocate> void* allocate_for_both(Allocate& allocate, std::size_t size, int device) {
  of_both = true;
  void* const block = allocate(size, device);
  of_both = false;
  return block;
}

} // namespace

namespace fletcher::interpose::target_images {

std::vector<Declared> new_variables() {
  std::vector<Declared> found;
  const memory::SpinGuard guard(lock);
  dl_iterate_phdr(look, &found);
  return found;
}

bool share_memory() noexcept { return one_memory.load(std::memory_order_relaxed); }
bool allocates_shared() noexcept { return of_both; }

} // namespace fletcher::interpose::target_images

#pragma GCC visibility push(default)
extern "C" {

void __tgt_register_lib(Description* description) {
  note(*description);
  real_register(description);
}

void* llvm_omp_target_alloc_host(std::size_t size, int device) {
  return allocate_for_both(real_alloc_host, size, device);
}
void* llvm_omp_target_alloc_shared(std::size_t size, int device) {
  return allocate_for_both(real_alloc_shared, size, device);
}

} // extern "C"
#pragma GCC visibility pop
