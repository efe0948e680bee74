// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/takeover/takeover.hpp"

#include "lib/interpose/binding/module_functions.hpp"
#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/binding/names.hpp"
#include "lib/interpose/real.hpp"
#include "lib/interpose/takeover/code_jumps.hpp"
#include "lib/interpose/takeover/earlier_threads.hpp"
#include "lib/interpose/takeover/first_looks.hpp"
#include "lib/interpose/takeover/fork_handlers.hpp"
#include "lib/interpose/takeover/frame_code.hpp"
#include "lib/interpose/takeover/guard_words.hpp"
#include "lib/interpose/takeover/handover.hpp"
#include "lib/interpose/takeover/moved_beginnings.hpp"
#include "lib/interpose/takeover/old_blocks.hpp"
#include "lib/interpose/takeover/standstill.hpp"
#include "lib/tool/process/kernel_threads.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <list>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fletcher::interpose {

namespace {

#if defined(__x86_64__)

/// A function of this library, and what it goes on to: null where that was ThreadSanitizer's alone.
struct Passage {
  std::string_view name;
  void* behind;
};
using Passages = std::vector<Passage>;

constexpr std::string_view trampoline = "__interceptor_trampoline_", interceptor = "__interceptor_";

/// It has to learn which threads there are, and of fork.
constexpr std::array<std::string_view, 8> needed{"fork",
                                                 "pthread_create",
                                                 "pthread_join",
                                                 "pthread_tryjoin_np",
                                                 "pthread_timedjoin_np",
                                                 "pthread_clockjoin_np",
                                                 "pthread_exit",
                                                 "pthread_detach"};
/// Interceptors that stay where this library has none: they keep what others of theirs rely on, and access no memory of
/// the program's.
constexpr std::array<std::string_view, 12> kept{"__libc_memalign", "cfree",  "mallinfo", "mallopt",
                                                "vfork",           "clone",  "dlopen",   "dlclose",
                                                "__tls_",          "atexit", "on_exit",  "__cxa_atexit"};
/// What is called of it afterwards.
constexpr std::array<std::string_view, 2> called{"sigaction", "gettimeofday"};
/// What is led here beside interceptors.
constexpr std::array<std::string_view, 6> entry_points{"__tsan_", "Annotate",          "_Zn",
                                                       "_Zd",     "RunningOnValgrind", "__cxa_guard_"};

constinit std::atomic<const Passages*> passages{nullptr}; // never destroyed
constinit unsigned shadow_bits = 0;

/// Since LLVM 17 the program reaches interceptors by jumps of their own; before, it calls them themselves.
bool has_trampolines(const Module& runtime) { return runtime.functions.contains(std::string(trampoline) + "malloc"); }

/// A runtime without trampolines with its interceptors where they can be called afterwards; nothing where that cannot
/// be.
std::optional<Module> with_moved_interceptors(const Module& runtime) {
  Module changed = runtime;
  std::vector<Extent*> functions;
  const auto add = [&](std::string_view name) {
    if (Extent* const found = changed.functions.find(std::string(interceptor).append(name))) functions.push_back(found);
  };
  std::ranges::for_each(needed, add);
  std::ranges::for_each(called, add);
  std::vector<Address> places(functions.size());
  std::ranges::transform(functions, places.begin(), &Extent::at);
  const std::vector<Address> moved = move_beginnings(places);
  if (moved.empty()) return std::nullopt;
  for (std::size_t i = 0; i < moved.size(); ++i) functions[i]->at = moved[i];
  return changed;
}

bool begins(std::string_view name, auto& prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return names::begins(name, prefix); });
}

/// It starts with the program's first one: better before than when nobody knows any more whose it is.
void start_its_thread() noexcept {
  pthread_t first{};
  if (pthread_create(&first, nullptr, [](void*) -> void* { return nullptr; }, nullptr) == 0)
    pthread_join(first, nullptr);
}

/// Where what stands behind ThreadSanitizer is defined. Opened once: ThreadSanitizer looks at all of the process's
/// memory whenever a library is.
class Libraries {
public:
  Libraries() noexcept {
    std::ranges::transform(std::array{"libc.so.6", "libstdc++.so.6", "libc++.so.1", "libm.so.6"}, handles_.begin(),
                           [](const char* file) { return dlopen(file, RTLD_LAZY | RTLD_NOLOAD); });
  }
  ~Libraries() {
    for (void* const handle : handles_)
      if (handle != nullptr) dlclose(handle);
  }
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;
  /// A name that ends with a null character.
  void* find(std::string_view name) const noexcept {
    for (void* const handle : handles_)
      if (void* const found = handle != nullptr ? dlsym(handle, name.data()) : nullptr; found != nullptr) return found;
    return nullptr;
  }

private:
  std::array<void*, 4> handles_{};
};

/// The dynamic linker comes to them in this order. What the first one asks for behind itself is found in the second one
/// then, where that has it.
bool in_order(Address first, Address second, Address third) {
  struct Search {
    std::array<Address, 3> wanted;
    std::array<std::size_t, 3> places{};
    std::size_t place = 0;
  } search{{first, second, third}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& in = *static_cast<Search*>(data);
        ++in.place;
        for (unsigned i = 0; i < info->dlpi_phnum; ++i)
          for (std::size_t k = 0; k < in.wanted.size(); ++k)
            if (in.wanted[k] - (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) < info->dlpi_phdr[i].p_memsz &&
                info->dlpi_phdr[i].p_type == PT_LOAD)
              in.places[k] = in.place;
        return 0;
      },
      &search);
  return search.places[0] < search.places[1] && search.places[1] < search.places[2];
}

struct Plan {
  std::vector<Jump> jumps;
  std::list<FirstLook> looks;
  std::list<FrameCode> frames;
  std::vector<Replacement> replacements;
  Passages passages;
  bool is_behind = false; ///< the runtime knows no thread that begins from now on
};

old_blocks::Allocator allocator_of(const Module& runtime) {
  old_blocks::Allocator allocator;
  find(runtime, "__sanitizer_get_ownership", allocator.owns);
  find(runtime, "__sanitizer_get_allocated_begin", allocator.begin);
  find(runtime, "__sanitizer_get_allocated_size", allocator.size);
  return allocator;
}

old_blocks::Next next_of(const Libraries& libraries) noexcept {
  old_blocks::Next next;
  const auto find = [&]<class Function>(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(libraries.find(name));
  };
  find("malloc", next.malloc);
  find("realloc", next.realloc);
  find("free", next.free);
  find("malloc_usable_size", next.usable_size);
  return next;
}

/// ThreadSanitizer keeps what it does not use of the address space from everybody. The largest such part, which ends
/// where the blocks of its allocator may begin.
std::pair<Address, std::size_t> largest_guard(Address blocks) {
  std::pair<Address, std::size_t> largest;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    Address begin = 0, end = 0;
    char dash = 0;
    std::string access;
    if (!(fields >> std::hex >> begin >> dash >> end >> access) || access != "---p") continue;
    if (begin < blocks && blocks < end) end = blocks;
    if (end - begin > largest.second) largest = {begin, end - begin};
  }
  return largest;
}

/// Told apart by so many bits of their addresses, all that ThreadSanitizer's layouts leave to programs has shadow
/// memory of its own; with one bit less, all but the blocks that it has given so far, where the heap of LLVM 17 or
/// earlier is.
constexpr unsigned most_bits = 43;
constexpr std::size_t shadow_size(unsigned bits) noexcept { return (std::size_t{4} << bits) + (1 << 20); }

/// Where the runtime's functions are to lead from now on, and what those of this library then go on to.
/// `alone`: no thread is in one of them, so other code may take a function's place.
/// `still_called`: the same runtime as it is called afterwards.
Plan make_plan(const Module& runtime, const Module& still_called, const Functions& own, const Libraries& libraries,
               LeadPast* lead_past, bool alone) {
  // Its interceptors would come back to this library, for ever.
  Plan plan;
  plan.is_behind = in_order(runtime.code_begin, reinterpret_cast<Address>(&take_over_from_thread_sanitizer),
                            reinterpret_cast<Address>(libraries.find("pthread_create")));
  const std::string_view prefix = has_trampolines(runtime) ? trampoline : interceptor;
  for (const auto& [name, extent] : runtime.functions) {
    const Address at = extent.at;
    if (at - runtime.code_begin >= runtime.code_end - runtime.code_begin) continue;
    const bool intercepts = names::begins(name, prefix);
    const std::string_view plain = intercepts ? name.substr(prefix.size()) : name;
    if (!intercepts && !begins(name, entry_points)) continue;
    if (const Extent* const ours = own.find(plain)) {
      const Extent* const after = alone ? own.find(after_first_look(plain)) : nullptr;
      if (after != nullptr && extent.size >= sizeof(FirstLook))
        plan.replacements.push_back(
            {at, plan.looks.emplace_back(first_look(plain, reinterpret_cast<const void*>(after->at)))});
      else if (const auto code = frame_code(plain, reinterpret_cast<const void*>(ours->at)))
        plan.jumps.push_back({at, nullptr, plan.frames.emplace_back(*code)});
      else
        plan.jumps.push_back({at, reinterpret_cast<const void*>(ours->at)});
    } else if (intercepts && !begins(plain, kept) && (plan.is_behind || !std::ranges::count(needed, plain))) {
      if (void* const behind = libraries.find(plain)) plan.jumps.push_back({at, lead_past(plain, behind)});
    }
  }
  plan.passages = {{"free", reinterpret_cast<void*>(&old_blocks::free)},
                   {"realloc", reinterpret_cast<void*>(&old_blocks::realloc)},
                   {"reallocarray", reinterpret_cast<void*>(&old_blocks::reallocarray)},
                   {"malloc_usable_size", reinterpret_cast<void*>(&old_blocks::usable_size)},
                   {"pthread_once", reinterpret_cast<void*>(&guard_words::once)},
                   {"__cxa_guard_acquire", reinterpret_cast<void*>(&guard_words::acquire)},
                   {"__cxa_guard_release", reinterpret_cast<void*>(&guard_words::release)},
                   {"__cxa_guard_abort", reinterpret_cast<void*>(&guard_words::abort)}};
  for (const auto& [name, extent] : own) {
    void* behind = libraries.find(name);
    if (!plan.is_behind && std::ranges::count(needed, name) != 0)
      if (const Extent* const theirs = still_called.functions.find(std::string(interceptor).append(name)))
        behind = reinterpret_cast<void*>(theirs->at);
    if (behind != nullptr || runtime.functions.contains(name)) plan.passages.push_back({name, behind});
  }
  return plan;
}

CodePart part_of(const Module& module) noexcept { return {module.code_begin, module.code_end - module.code_begin}; }

/// Where other threads stand still, and none of them in the midst of what becomes a jump. Nothing where they do not.
std::optional<bool> rewrite_under_threads(const Module& runtime, const Plan& plan) {
  std::vector<Address> entries(plan.jumps.size());
  std::ranges::transform(plan.jumps, entries.begin(), &Jump::from);
  const Narrows midst{entries, jump_size};
  constexpr unsigned tries = 20, slowest = 8;
  for (unsigned i = 0; i < tries; ++i) {
    {
      const Standstill still(midst);
      if (!still.reached()) return std::nullopt;
      if (std::ranges::none_of(still.threads(), [&](const StoppedThread& stopped) { return midst.hold(stopped.at); }))
        return rewrite(part_of(runtime), plan.jumps, plan.replacements);
    }
    const timespec pause{0, 1'000'000L << std::min(i, slowest)}; // whoever is there has to get a processor
    syscall(SYS_nanosleep, &pause, nullptr);
  }
  return std::nullopt;
}

#endif

} // namespace

const char* take_over_from_thread_sanitizer([[maybe_unused]] const void* init,
                                            [[maybe_unused]] LeadPast* lead_past) noexcept {
#if defined(__x86_64__)
  const Module theirs = module_around(reinterpret_cast<Address>(init)),
               ours = module_around(reinterpret_cast<Address>(&take_over_from_thread_sanitizer));
  // Their memory is not reported then. Functions that this library does not interpose, of old runtimes for devices and
  // new.
  if (dlsym(RTLD_DEFAULT, "__tgt_target_kernel") != nullptr || dlsym(RTLD_DEFAULT, "__tgt_target_mapper") != nullptr)
    return "the program has regions for devices";
  if (!theirs.functions.contains("__tsan_init") || !theirs.functions.contains(std::string(interceptor) + "malloc"))
    return "its functions have no names that can be looked up";
  if (handover::replaces_conditions(theirs)) return "it has condition variables of its own (legacy_pthread_cond)";
  constexpr const char* unknown_code = "its version is not known";
  const std::optional<Module> moved = has_trampolines(theirs) ? std::nullopt : with_moved_interceptors(theirs);
  if (!has_trampolines(theirs) && !moved) return unknown_code;
  const Module& still_called = moved ? *moved : theirs;
  const old_blocks::Allocator allocator = allocator_of(still_called);
  // Objects of this library's are not in the program's heap.
  const std::unique_ptr<void, decltype(&std::free)> block(std::malloc(1), std::free);
  const auto [guard, size] = largest_guard(old_blocks::begin_of_small(block.get()));
  const unsigned bits = size < shadow_size(most_bits) ? most_bits - 1 : most_bits;
  if (!allocator.complete()) return unknown_code;
  if (size < shadow_size(bits)) return "it leaves no room for shadow memory";
  start_its_thread();
  tool::kernel::note_helper();
  const std::vector<pid_t> others = tool::kernel::others();
  const Libraries libraries;
  const old_blocks::Next next = next_of(libraries);
  if (!next.complete()) return "the C library's functions were not found";
  old_blocks::remember(allocator, next, block.get());
  Plan plan = make_plan(theirs, still_called, ours.functions, libraries, lead_past, others.empty());
  auto* const behind = new Passages(std::move(plan.passages));
  passages.store(behind, std::memory_order_release); // the first call through a jump needs it
  const std::optional<bool> rewritten =
      others.empty() ? rewrite(part_of(theirs), plan.jumps, plan.replacements) : rewrite_under_threads(theirs, plan);
  if (!rewritten.value_or(false)) {
    passages.store(nullptr, std::memory_order_relaxed);
    return rewritten ? "the system lets no code be changed" : "the program's threads could not be stopped for a moment";
  }
  syscall(SYS_munmap, guard, size);
  shadow_bits = bits;
  if (plan.is_behind) fork_handlers::leave_out(theirs.code_begin, theirs.code_end);
  if (!others.empty()) {
    handover::silence(theirs);
    earlier_threads::note(others);
  }
  handover::give_signals_back(still_called, libraries.find("sigaction"));
  handover::have_last_word(theirs);
  if (theirs.executable) modules::add_instrumented(theirs.code_begin);
  modules::find_instrumented();
  modules::find_runtimes();
  return nullptr;
#else
  return "not for this processor";
#endif
}

unsigned shadow_bits_after_takeover() noexcept {
#if defined(__x86_64__)
  return shadow_bits;
#else
  return 0;
#endif
}

std::optional<void*> behind_thread_sanitizer([[maybe_unused]] const char* name) noexcept {
#if defined(__x86_64__)
  if (const Passages* const known = passages.load(std::memory_order_acquire))
    for (const Passage& passage : *known)
      if (names::is_same(passage.name, name)) return passage.behind;
#endif
  return std::nullopt;
}

} // namespace fletcher::interpose
