// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/ompt/arguments.hpp"

#include "lib/tool/thread.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace fletcher::ompt {

namespace {

struct Range {
  Address begin, end;
};

int add_data(dl_phdr_info* module, std::size_t, void* ranges) {
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    const Address begin = module->dlpi_addr + segment.p_vaddr;
    static_cast<std::vector<Range>*>(ranges)->push_back({begin, begin + segment.p_memsz});
  }
  return 0;
}

/// Never freed: threads outlive every destructor.
const std::vector<Range>& static_data() {
  static const auto* const the = [] {
    auto* const ranges = new std::vector<Range>;
    dl_iterate_phdr(add_data, ranges);
    std::sort(ranges->begin(), ranges->end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    return ranges;
  }();
  return *the;
}

bool on_own_stack(Address address) noexcept {
  return address >= reinterpret_cast<Address>(__builtin_frame_address(0)) &&
         address + sizeof(Address) <= tool::current_stack.high;
}

} // namespace

/// Where the addresses are in a task's memory.
std::size_t TaskArguments::shared_offset() const noexcept { return (task_size + 7) & ~std::size_t{7}; }

/// The sizes are this task's, not another one's.
bool TaskArguments::are_of(Address task) const noexcept {
  if (task == 0 || task_size == 0 || shared_size == 0) return false;
  Address shared = 0;
  std::memcpy(&shared, reinterpret_cast<const void*>(task), sizeof shared);
  return shared == task + shared_offset();
}

void TaskArguments::created(Address task) noexcept {
  captures = {};
  if (are_of(task) && shared_size >= sizeof(Address))
    captures = {reinterpret_cast<const Address*>(task + shared_offset()), shared_size / sizeof(Address)};
  task_size = shared_size = 0;
}

std::size_t TaskArguments::pattern(Address task) noexcept {
  const std::size_t size = shared_size != 0 && !are_of(task) ? 0 : shared_offset() + shared_size;
  task_size = shared_size = 0;
  return size;
}

bool is_permanent(Address address) noexcept {
  const std::vector<Range>& ranges = static_data();
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                      [](Address a, const Range& range) { return a < range.begin; });
  return after != ranges.begin() && address < std::prev(after)->end;
}

Storage storage_of(std::size_t index, Address address, bool permanent) noexcept {
  Storage storage;
  if (index < arguments.items.size() && arguments.items[index].base == address)
    storage.size = arguments.items[index].length;
  const bool may_be_pointer = address % alignof(Address) == 0 && (storage.size == 0 || storage.size == sizeof(Address));
  // Only where reading cannot fail: a list item need not exist.
  if (may_be_pointer && (permanent || on_own_stack(address)))
    std::memcpy(&storage.content, reinterpret_cast<const void*>(address), sizeof storage.content);
  return storage;
}

} // namespace fletcher::ompt
