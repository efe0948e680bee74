// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/binding/modules.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/binding/dynamic_symbols.hpp"
#include "lib/interpose/binding/references.hpp"

#include <dlfcn.h>
#include <link.h>

namespace fletcher::interpose {

void CodeRanges::add(Address begin, std::size_t size) noexcept {
  const std::size_t n = count_.load(std::memory_order_relaxed);
  if (n == ranges_.size()) return;
  ranges_[n] = {begin, size};
  count_.store(n + 1, std::memory_order_release);
}

namespace modules {

namespace {

constinit memory::SpinLock writers{};
constinit std::atomic<unsigned long long> loads_seen{0};
constinit std::atomic<bool> runtime_found{false};

struct Code {
  Address begin = 0, end = 0;
  bool contains(Address pc) const noexcept { return pc - begin < end - begin; }
};

/// From the first to the last executable segment.
Code code_of(const dl_phdr_info& module) noexcept {
  Code code{~Address{0}, 0};
  for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const Address first = module.dlpi_addr + segment.p_vaddr;
    if (first < code.begin) code.begin = first;
    if (first + segment.p_memsz > code.end) code.end = first + segment.p_memsz;
  }
  return code.end == 0 ? Code{} : code;
}

Address own_code() noexcept { return reinterpret_cast<Address>(&find_runtimes); }

void add_instrumented(const Code& code) noexcept {
  const memory::SpinGuard guard(writers);
  if (is_instrumented(code.begin)) return;
  instrumented.add(code.begin, code.end - code.begin);
  // One file that holds the program and the tool or the runtime: its calls are taken for the program's.
  if (tool.contains(code.begin)) tool.clear();
  if (openmp.contains(code.begin)) openmp.clear();
}

int look(dl_phdr_info* module, std::size_t size, void* first) {
  if (size >= offsetof(dl_phdr_info, dlpi_subs) && *static_cast<bool*>(first)) {
    *static_cast<bool*>(first) = false;
    if (loads_seen.exchange(module->dlpi_adds, std::memory_order_relaxed) == module->dlpi_adds) return 1;
  }
  const Code code = code_of(*module);
  if (code.end == 0 || is_instrumented(code.begin)) return 0;
  const bool executable = module->dlpi_name == nullptr || *module->dlpi_name == '\0';
  if (has_undefined(*module, "__tsan_init") || (executable && code.contains(own_code()))) {
    // First, so that whose code it is stands when its first access comes.
    if (!executable && defines_with_prefix(*module, "__omp_offloading_"))
      device_images.add(code.begin, code.end - code.begin);
    add_instrumented(code);
  }
  return 0;
}

struct Search {
  Address pc;
  Code code{};
};

int find(dl_phdr_info* module, std::size_t, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  const Code code = code_of(*module);
  if (!code.contains(search.pc)) return 0;
  search.code = code;
  return 1;
}

Code code_around(Address pc) noexcept {
  Search search{.pc = pc};
  dl_iterate_phdr(find, &search);
  return search.code;
}

void note(CodeRanges& ranges, Address pc) noexcept {
  if (ranges.contains(pc)) return;
  const Code code = code_around(pc);
  if (code.end == 0) return;
  const memory::SpinGuard guard(writers);
  if (!ranges.contains(pc) && !is_instrumented(pc)) ranges.add(code.begin, code.end - code.begin);
}

} // namespace

void find_instrumented() noexcept {
  bool first = true;
  dl_iterate_phdr(look, &first);
}

void find_runtimes() noexcept {
  if (runtime_found.load(std::memory_order_relaxed)) return;
  // LLVM's runtime under its own and under gcc's entry points; libgomp, whose threads tell nothing that could be
  // judged. Functions that this library does not interpose.
  for (const char* name : {"__kmpc_fork_call", "GOMP_parallel_end", "__tgt_target_kernel"})
    if (void* const entry = dlsym(RTLD_DEFAULT, name)) {
      note(openmp, reinterpret_cast<Address>(entry));
      runtime_found.store(true, std::memory_order_relaxed);
    }
  const auto note_library = [](CodeRanges& ranges, const char* function) {
    if (void* const entry = dlsym(RTLD_DEFAULT, function)) note(ranges, reinterpret_cast<Address>(entry));
  };
  note_library(fortran, "_gfortran_st_write_done");
  note_library(unwinder, "_Unwind_Backtrace");
  note_library(cxx, "__cxa_begin_catch");
}

void add_instrumented(Address code) noexcept {
  if (const Code around = code_around(code); around.end != 0) add_instrumented(around);
}

void add_runtime(Address code) noexcept { note(openmp, code); }
void add_library(Address code) noexcept {
  if (!openmp.contains(code)) note(libraries, code);
}

namespace {
/// Before another constructor allocates: its calls are not the program's, and what they would go on to may be what
/// ThreadSanitizer's runtime, which is taken over later, has in front of it.
[[gnu::constructor(101)]] void loaded() { note(tool, own_code()); }
} // namespace

} // namespace modules
} // namespace fletcher::interpose
