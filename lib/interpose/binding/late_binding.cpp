// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/binding/late_binding.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/binding/references.hpp"
#include "lib/interpose/binding/slots.hpp"
#include "lib/interpose/real.hpp"
#include "lib/tool/thread.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace fletcher::interpose {

namespace {

constexpr std::array<std::string_view, 3> runtime_prefixes{"__kmpc_", "GOMP_", "omp_"};
constexpr std::array<std::string_view, 6> order_prefixes{"pthread_", "sem_", "thrd_", "mtx_", "cnd_", "call_once"};
constexpr std::array<std::string_view, 6> ends{"exit", "_exit", "_Exit", "quick_exit", "sigaction", "signal"};

/// A library that is in use, for the time of a look-up. Null: the program, with all that its names are looked up in.
class Opened {
public:
  explicit Opened(const char* file) noexcept : handle_(dlopen(file, RTLD_LAZY | RTLD_NOLOAD)) {}
  ~Opened() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  void* find(const char* name) const noexcept { return handle_ != nullptr ? dlsym(handle_, name) : nullptr; }

private:
  void* handle_;
};

struct Passage {
  void* ours = nullptr;
  void* behind = nullptr;  ///< what ours goes on to
  void* program = nullptr; ///< what the program's look-up finds
};
using Passages = std::map<std::string, Passage, std::less<>>;
using Names = std::set<std::string, std::less<>>;

struct Search {
  Calls calls;
  Names names{};
  bool nothing_new = false, first = true;
};

constinit memory::SpinLock one_at_a_time{};
constinit std::atomic<unsigned long long> loads_seen{0};

int collect_names(dl_phdr_info* module, std::size_t size, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (std::exchange(search.first, false) && size >= offsetof(dl_phdr_info, dlpi_subs)) {
    search.nothing_new = loads_seen.exchange(module->dlpi_adds, std::memory_order_relaxed) == module->dlpi_adds;
    if (search.nothing_new) return 1;
  }
  any_reference(*module, [&](const Reference& reference) {
    const auto begins = [&](std::string_view prefix) { return reference.begins(prefix); };
    if (search.calls == Calls::all || std::ranges::any_of(runtime_prefixes, begins) ||
        (search.calls == Calls::order &&
         (std::ranges::any_of(order_prefixes, begins) || std::ranges::find(ends, reference.name()) != ends.end())))
      search.names.emplace(reference.text);
    return false;
  });
  return 0;
}

/// Of names that this library and the runtime or libc define. Not while the loader's list is locked: looking a name up
/// may wait for another lock of the loader's.
Passages find_definitions(const Names& names) {
  Passages passages;
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&stand_before_runtime), &self) == 0) return passages;
  const Opened own(self.dli_fname), program(nullptr);
  for (const std::string& name : names) {
    void* const ours = own.find(name.c_str());
    if (ours == nullptr || !is_own(ours)) continue; // of most names
    const Passage passage{ours, next_definition(name.c_str()), program.find(name.c_str())};
    if (passage.behind != nullptr) passages.try_emplace(name, passage);
  }
  return passages;
}

int replace_slots(dl_phdr_info* module, std::size_t, void* data) {
  const auto& passages = *static_cast<const Passages*>(data);
  any_reference(*module, [&](const Reference& reference) {
    if (reference.slot == nullptr) return false;
    const auto found = passages.find(reference.name());
    if (found == passages.end()) return false;
    const Passage& passage = found->second;
    void* const now = slots::load(reference.slot);
    // Another runtime's function, or what somebody else put in front of it, stays.
    const bool unbound = slots::is_in(*module, PT_LOAD, now) && passage.program == passage.behind;
    if (now == passage.behind || unbound) slots::replace(*module, reference.slot, passage.ours);
    return false;
  });
  return 0;
}

} // namespace

bool is_behind_program() noexcept {
  static const bool behind = [] {
    void* const first = Opened(nullptr).find("ompt_start_tool");
    return first == nullptr || !is_own(first);
  }();
  return behind;
}

void stand_before_runtime(Calls calls) noexcept {
  if (!is_behind_program()) return;
  const tool::InsideTool inside;
  const memory::SpinGuard guard(one_at_a_time);
  Search search{calls};
  dl_iterate_phdr(collect_names, &search);
  if (search.nothing_new) return;
  Passages passages = find_definitions(search.names);
  if (!passages.empty()) dl_iterate_phdr(replace_slots, &passages);
}

void lead_calls(const char* function, void* ours) noexcept {
  const tool::InsideTool inside;
  const Passages passages{{function, {ours, next_definition(function), Opened(nullptr).find(function)}}};
  const memory::SpinGuard guard(one_at_a_time);
  if (passages.begin()->second.behind != nullptr) dl_iterate_phdr(replace_slots, const_cast<Passages*>(&passages));
}

} // namespace fletcher::interpose
