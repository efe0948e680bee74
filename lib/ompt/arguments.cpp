// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/ompt/arguments.hpp"

#include "lib/ompt/runtime.hpp"
#include "lib/ompt/task_functions.hpp"
#include "lib/tool/thread.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

constinit thread_local fletcher::ompt::TaskCall fletcher_task_arguments;

namespace fletcher::ompt {

namespace {

/// kmp_task_t; what the task has copies of follows it.
struct Descriptor {
  Address shared;
  Address entry;
  std::uint64_t rest[3];
};
constexpr std::size_t descriptor_size = sizeof(Descriptor);
static_assert(descriptor_size == 40);
constexpr std::size_t farthest = 4096;    ///< that a task may be from its data
constexpr std::size_t most_copies = 1024; ///< in bytes, that are looked through

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
         address + sizeof(Address) <= tool::this_thread.stack.high;
}

/// Where the addresses are in a task's memory.
std::size_t shared_offset(const TaskCall& call) noexcept { return (call.task_size + 7) & ~std::size_t{7}; }

/// The sizes are this task's, not another one's.
[[gnu::always_inline]] inline bool are_of(const TaskCall& call, Address task) noexcept {
  if (task == 0 || call.task_size < descriptor_size) return false;
  Descriptor descriptor;
  std::memcpy(&descriptor, reinterpret_cast<const void*>(task), sizeof descriptor);
  return descriptor.entry == call.entry &&
         descriptor.shared == (call.shared_size == 0 ? 0 : task + shared_offset(call));
}

/// The task is of clang's, whose function may run on another stack.
void remember_function(Address function) noexcept {
  if (runtime.changes_functions) clang_functions.add(function);
}

/// All tasks are as far from their data as the first one, by which it is learned.
bool is_usual_distance(std::size_t distance) noexcept {
  const std::size_t known = distance_to_task.load(std::memory_order_relaxed);
  if (known == 0 && distance < farthest) distance_to_task.store(distance, std::memory_order_relaxed);
  return distance == known;
}

} // namespace

std::size_t TaskArguments::created(Address data) noexcept {
  TaskCall& call = fletcher_task_arguments;
  const Address task = std::exchange(call.task, 0);
  captures = {};
  copies_ = {};
  references = 0;
  const std::size_t kept = std::exchange(kept_, 0);
  if (task == 0) {
    if (runtime.changes_functions) learn_distance(data);
    return 0;
  }
  std::size_t size = 0;
  if (are_of(call, task)) {
    remember_function(call.entry);
    const std::size_t shared = shared_offset(call);
    if (call.shared_size >= sizeof(Address))
      captures = {reinterpret_cast<const Address*>(task + shared), call.shared_size / sizeof(Address)};
    references = captures.size();
    if (kept != 0 && keeper_ == task) add(kept);
    if (!captures.empty())
      copies_ = {reinterpret_cast<const unsigned char*>(task + descriptor_size), call.task_size - descriptor_size};
    if (is_usual_distance(task - data)) size = shared + call.shared_size;
  }
  call.task_size = call.shared_size = 0;
  return size;
}

void TaskArguments::learn_distance(Address data) noexcept {
  constexpr std::size_t most = 512;
  if (pattern_.entry == 0 || distance_to_task.load(std::memory_order_relaxed) != 0) return;
  for (std::size_t distance = 0; distance < most; distance += sizeof(Address))
    if (are_of(pattern_, data + distance)) distance_to_task.store(distance, std::memory_order_relaxed);
}

void TaskArguments::copied(Address task, Address variable) noexcept {
  if (keeper_ != task) kept_ = 0;
  keeper_ = task;
  if (kept_ < most_kept) room_[most_references + kept_++] = variable;
}

void TaskArguments::add(std::size_t kept) noexcept {
  references = std::min(captures.size(), most_references);
  const auto end = std::copy_n(captures.begin(), references, room_.begin());
  std::copy_n(room_.begin() + most_references, kept, end);
  captures = std::span(room_).first(references + kept);
}

// The variable's size is not known, and it may be a byte.
bool TaskArguments::may_be_copied(Address variable) const noexcept {
  const unsigned char first = *reinterpret_cast<const unsigned char*>(variable);
  return copies_.size() > most_copies || std::find(copies_.begin(), copies_.end(), first) != copies_.end();
}

void TaskArguments::leave_out_iteration_variables() noexcept {
  std::size_t count = 0;
  for (const Address variable : captures.first(references))
    if (count < most_references && on_own_stack(variable) && !may_be_copied(variable)) room_[count++] = variable;
  captures = std::span(room_).first(count);
  references = count;
}

std::size_t TaskArguments::pattern(Address task) noexcept {
  if (const std::size_t arguments_size = std::exchange(gomp_size_, 0)) {
    Address begin = 0;
    std::memcpy(&begin, reinterpret_cast<const void*>(task), sizeof begin);
    return begin + arguments_size - task;
  }
  TaskCall& call = fletcher_task_arguments;
  pattern_ = are_of(call, task) ? call : TaskCall{};
  if (pattern_.entry != 0) remember_function(pattern_.entry);
  const std::size_t size = call.shared_size != 0 && !are_of(call, task) ? 0 : shared_offset(call) + call.shared_size;
  call.task_size = call.shared_size = 0;
  return size;
}

Address function_of(Address data) noexcept {
  const std::size_t distance = distance_to_task.load(std::memory_order_relaxed);
  if (data == 0 || distance == 0) return 0;
  const Address place = data + distance + offsetof(Descriptor, entry);
  Address function = 0;
  std::memcpy(&function, reinterpret_cast<const void*>(place), sizeof function);
  return clang_functions.contains(function) ? place : 0;
}

bool is_permanent(Address address) noexcept {
  const std::vector<Range>& ranges = static_data();
  // A program mostly names variables of one module.
  static constinit std::atomic<std::size_t> last_found{0};
  if (const std::size_t last = last_found.load(std::memory_order_relaxed);
      last < ranges.size() && address - ranges[last].begin < ranges[last].end - ranges[last].begin)
    return true;
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                      [](Address a, const Range& range) { return a < range.begin; });
  if (after == ranges.begin() || address >= std::prev(after)->end) return false;
  last_found.store(static_cast<std::size_t>(std::prev(after) - ranges.begin()), std::memory_order_relaxed);
  return true;
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
