// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/reports/findings.hpp"

#include "lib/annotate/tasks/task_names.hpp"
#include "lib/interpose/openmp/openmp_runtimes.hpp"
#include "lib/interpose/real.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fletcher::annotate {

namespace {

#if defined(__x86_64__)
constexpr Address call_part = 1; ///< from the place that ThreadSanitizer gives for a call to where it goes on
#else
constexpr Address call_part = 4;
#endif

std::string_view file_of(std::string_view path) noexcept { return path.substr(path.rfind('/') + 1); }

const reports::Module* module_of(const PrintedFrame& frame, std::span<const reports::Module> modules) noexcept {
  const reports::Module* found = nullptr;
  for (const reports::Module& one : modules) {
    const Address at = one.base + frame.offset;
    if (file_of(one.path) != file_of(frame.module) || at < one.begin || at >= one.end) continue;
    if (found != nullptr) return nullptr;
    found = &one;
  }
  return found;
}

/// It calls main.
bool is_libc(const reports::Module& module) noexcept { return file_of(module.path).starts_with("libc."); }

/// Where the OpenMP runtime called it; the innermost such place.
enum class Caller : std::uint8_t { none, region, unknown };

struct Place {
  Stack stack;           ///< of the program's own frames, up to those of the runtime
  Address outermost = 0; ///< of these, where it is
  Caller called_by = Caller::none;
  bool ends_block = false;   ///< so the access does
  bool on_own_stack = false; ///< it is a task's, which is a fiber
  Address region = 0;        ///< where the call of the region's construct goes on; 0 where unknown
};

/// Of the function there, as libraries name it; ThreadSanitizer tells no names where it finds no symbolizer.
std::string name_of(const PrintedFrame& frame, const void* at) {
  if (!frame.function.empty()) return frame.function;
  Dl_info info{};
  void* const begin = _Unwind_FindEnclosingFunction(const_cast<void*>(at));
  if (dladdr(at, &info) == 0 || info.dli_sname == nullptr || info.dli_saddr != begin) return {};
  const std::string_view name = info.dli_sname;
  constexpr std::string_view mark = "interceptor_";
  const std::size_t marked = name.starts_with("__") ? name.find(mark) : name.npos;
  return std::string(marked == name.npos ? name : name.substr(marked + mark.size()));
}

/// What ThreadSanitizer does in the place of a function of libc's: the access is its caller's.
bool stands_for_libc(const std::string& function, const void* at) noexcept {
  void* const sanitizer = dlsym(RTLD_DEFAULT, "__tsan_init");
  if (function.empty() || sanitizer == nullptr || !interpose::in_one_module(at, sanitizer)) return false;
  return function.starts_with("operator ") || dlsym(RTLD_NEXT, function.c_str()) != nullptr;
}

bool ends_blocks(std::string_view function) noexcept {
  constexpr std::array whole{"free", "realloc", "reallocarray"}, beginnings{"operator delete", "_ZdlPv", "_ZdaPv"};
  return std::ranges::find(whole, function) != whole.end() ||
         std::ranges::any_of(beginnings, [function](std::string_view begin) { return function.starts_with(begin); });
}

/// Nothing where the access itself is nowhere.
std::optional<Place> place_of(const std::vector<PrintedFrame>& frames, std::span<const reports::Module> modules) {
  Place place;
  for (const PrintedFrame& frame : frames) {
    const bool is_access = place.stack.empty();
    const reports::Module* const module = module_of(frame, modules);
    if (module == nullptr) {
      if (is_access) return std::nullopt;
      continue;
    }
    const Address at = module->base + frame.offset;
    const auto* const code = reinterpret_cast<const void*>(at);
    if (interpose::is_own(code)) {
      if (is_access) continue;
      place.on_own_stack = place.called_by == Caller::none;
      break;
    }
    if (interpose::is_llvm_runtime(file_of(module->path))) {
      if (place.called_by == Caller::none)
        place.called_by = frame.function == "__kmp_invoke_microtask" ? Caller::region : Caller::unknown;
      continue;
    }
    if (place.called_by != Caller::none) {
      if (place.called_by == Caller::region && !is_libc(*module)) place.region = at + call_part;
      break;
    }
    if (const std::string name = is_access ? name_of(frame, code) : ""; stands_for_libc(name, code)) {
      place.ends_block |= ends_blocks(name);
      continue;
    }
    place.stack.push_back(is_access ? at : at + call_part);
    place.outermost = at;
  }
  if (!frames.empty() && place.stack.empty()) return std::nullopt;
  return place;
}

/// The code at `at` is the function's: who has the name now is who made the access.
bool is_in(Address at, Address function) noexcept {
  return _Unwind_FindEnclosingFunction(reinterpret_cast<void*>(at)) == reinterpret_cast<void*>(function);
}

/// Where the access was made, and by whom as far as ThreadSanitizer's names tell.
struct By {
  Place place;
  std::optional<NamedTask> task;
  bool is_main = false;    ///< the main thread, in no explicit task
  bool is_initial = false; ///< and outside of all regions
};

By by_whom(const PrintedAccess& access, Place place) {
  By by{std::move(place), task_of(access.thread_name)};
  by.is_main = access.thread == 0 && by.place.called_by != Caller::unknown;
  if (by.place.on_own_stack) {
    if (by.task && (by.task->kind != TaskKind::explicit_ || !is_in(by.place.outermost, by.task->function)))
      by.task.reset();
  } else if (by.place.called_by != Caller::region) {
    by.task.reset();
    by.is_initial = by.is_main && by.place.called_by == Caller::none && !by.place.stack.empty();
  } else if (by.is_main) {
    by.task = NamedTask{.kind = TaskKind::implicit, .creation = by.place.region};
  } else if (by.task && by.task->kind != TaskKind::implicit) {
    by.task.reset();
  }
  return by;
}

AccessDescription access_of(const PrintedAccess& access, const By& by) {
  AccessDescription out{.type = access.atomic  ? (access.write ? AccessType::atomic_write : AccessType::atomic_read)
                                : access.write ? AccessType::write
                                               : AccessType::read,
                        .address = access.address,
                        .size = access.size,
                        .stack = by.place.stack,
                        .tasks = {},
                        .locks = {},
                        .declared = {}};
  if (!by.is_initial && !by.task) return out;
  TaskDescription& task = out.tasks.emplace_back();
  task.kind = by.is_initial ? TaskKind::initial : by.task->kind;
  if (!by.task) return out;
  task.id = by.task->id;
  task.thread_number = by.task->thread_number;
  if (by.task->creation != 0) task.creation = {by.task->creation};
  return out;
}

bool is_explicit(const By& by) noexcept { return by.task && by.task->kind == TaskKind::explicit_; }
bool is_member(const By& by) noexcept { return by.task && by.task->kind == TaskKind::implicit; }

bool created(const By& one, const By& other) noexcept {
  if (!one.task || !is_explicit(other)) return false;
  return one.is_main ? other.task->created_on_main : other.task->creator == one.task->id;
}

/// As far as what is known shows it.
Cause cause_of(const PrintedRace& race, const By& later, const By& earlier) noexcept {
  if (race.later.holds_mutexes && race.earlier.holds_mutexes) return Cause::different_locks;
  if (race.later.atomic != race.earlier.atomic) return Cause::not_atomic;
  if (created(later, earlier) || created(earlier, later)) return Cause::missing_taskwait;
  const bool same_place = later.place.stack.front() == earlier.place.stack.front();
  if (is_member(later) && is_member(earlier)) return same_place ? Cause::missing_mutual_exclusion : Cause::unknown;
  if (!is_explicit(later) || !is_explicit(earlier) || later.task->creator != earlier.task->creator)
    return Cause::unknown;
  const bool depend = later.task->depends || earlier.task->depends;
  if (later.task->creation == earlier.task->creation && !depend) return Cause::missing_mutual_exclusion;
  return later.task->depends && earlier.task->depends ? Cause::unknown : Cause::missing_dependence;
}

Stack stack_of(const std::vector<PrintedFrame>& frames, std::span<const reports::Module> modules) {
  const auto place = place_of(frames, modules);
  Stack stack = place ? place->stack : Stack();
  if (!stack.empty()) stack.front() += call_part;
  return stack;
}

} // namespace

std::optional<Finding> finding_of(const PrintedRace& race, std::span<const reports::Module> modules) {
  auto later_place = place_of(race.later.frames, modules), earlier_place = place_of(race.earlier.frames, modules);
  if (!later_place || !earlier_place) return std::nullopt;
  By later = by_whom(race.later, std::move(*later_place)), earlier = by_whom(race.earlier, std::move(*earlier_place));
  // The main thread has no name, but is in the region of the other thread that it races with.
  if (is_member(later) && is_member(earlier) && later.is_main != earlier.is_main)
    (later.is_main ? later : earlier).task->creation = (later.is_main ? earlier : later).task->creation;
  Finding finding;
  finding.accesses = {access_of(race.later, later), access_of(race.earlier, earlier)};
  const std::array ends{later.place.ends_block, race.after_free || earlier.place.ends_block};
  for (const std::size_t k : {0U, 1U})
    if (ends[k]) finding.accesses[k].type = AccessType::free, finding.accesses[k].size = 0;
  if (race.in_heap) {
    finding.object.kind = ObjectKind::heap;
    finding.object.base = race.in_heap->begin;
    finding.object.size = race.in_heap->size;
    finding.object.origin = stack_of(race.in_heap->allocated_at, modules);
  }
  finding.cause = cause_of(race, later, earlier);
  return finding;
}

} // namespace fletcher::annotate
