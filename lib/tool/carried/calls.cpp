// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/carried/calls.hpp"

#include <algorithm>
#include <initializer_list>

namespace fletcher::tool::carried {

namespace {

bool begins_with_one_of(std::string_view name, std::initializer_list<std::string_view> beginnings) noexcept {
  return std::ranges::any_of(beginnings, [name](std::string_view begin) { return name.starts_with(begin); });
}

/// Of functions that clang's code calls. Dynamic loops of clang before 19 have no end.
Call call_of_clang(std::string_view name) noexcept {
  const auto is_one_of = [name](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (begins_with_one_of(name, {"__kmpc_dispatch_next_"})) return Call::next;
  if (begins_with_one_of(name, {"__kmpc_dispatch_init_", "__kmpc_for_static_init_", "__kmpc_dist_for_static_init_",
                                "__kmpc_dist_dispatch_init_"}) ||
      is_one_of({"__kmpc_single", "__kmpc_masked", "__kmpc_master"}))
    return Call::begin;
  if (is_one_of({"__kmpc_end_single", "__kmpc_end_masked", "__kmpc_end_master"})) return Call::end_by_one;
  if (is_one_of({"__kmpc_for_static_fini", "__kmpc_dispatch_deinit", "__kmpc_barrier", "__kmpc_cancel_barrier",
                 "__kmpc_copyprivate"}))
    return Call::end;
  if (is_one_of({"__kmpc_reduce", "__kmpc_reduce_nowait"})) return Call::atomic_begin;
  if (begins_with_one_of(name, {"__kmpc_end_reduce"})) return Call::atomic_end;
  if (begins_with_one_of(name, {"__kmpc_cancel"})) return Call::cancels;
  if (is_one_of({"__kmpc_omp_task", "__kmpc_omp_task_with_deps", "__kmpc_omp_task_begin_if0", "__kmpc_taskloop"}))
    return Call::task;
  if (begins_with_one_of(name,
                         {"__kmpc_critical", "__kmpc_end_critical", "__kmpc_dispatch_fini_", "__kmpc_ordered",
                          "__kmpc_end_ordered", "__kmpc_omp_taskwait", "__kmpc_omp_taskyield", "__kmpc_taskgroup",
                          "__kmpc_end_taskgroup", "__kmpc_flush", "__kmpc_global_thread_num", "__kmpc_omp_task_alloc",
                          "__kmpc_serialized_parallel", "__kmpc_end_serialized_parallel"}))
    return Call::quiet;
  return Call::unknown;
}

} // namespace

Call call_of(std::string_view name) noexcept {
  const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (begins_with_one_of(name, {"__tsan_func_", "__tsan_init"})) return Call::quiet;
  if (name.starts_with("__tsan_mem")) return Call::unknown;
  if (name.starts_with("__tsan_")) return Call::accesses;
  if (begins_with_one_of(name, {"GOMP_loop_", "GOMP_sections", "GOMP_single_"})) {
    if (has("_end")) return Call::end;
    if (has("_next")) return name.starts_with("GOMP_sections") ? Call::next_section : Call::next;
    return Call::begin;
  }
  if (name.starts_with("GOMP_barrier")) return Call::end;
  if (name == "GOMP_atomic_start") return Call::atomic_begin;
  if (name == "GOMP_atomic_end") return Call::atomic_end;
  if (name.starts_with("GOMP_cancel")) return Call::cancels;
  if (begins_with_one_of(name, {"GOMP_critical", "GOMP_taskwait", "GOMP_taskyield", "GOMP_taskgroup", "GOMP_ordered"}))
    return Call::quiet;
  if (name == "GOMP_error") return Call::never_returns;
  if (name.starts_with("__kmpc_")) return call_of_clang(name);
  if (begins_with_one_of(name, {"__assert_fail", "__cxa_throw", "__cxa_rethrow", "_Unwind_Resume", "__stack_chk_fail",
                                "_gfortran_runtime_error", "_gfortran_stop", "_gfortran_error_stop",
                                "_gfortran_os_error", "_ZSt9terminate", "__cxa_bad_cast"}) ||
      name == "abort" || name == "exit" || name == "_exit")
    return Call::never_returns;
  if (name.starts_with("_ZSt") && has("__throw_")) return Call::never_returns;
  if (begins_with_one_of(name, {"_gfortran_st_write", "_gfortran_st_read", "_gfortran_transfer_"}))
    return Call::transfers;
  return Call::unknown;
}

std::uint8_t bytes_of_access(std::string_view name) noexcept {
  std::size_t end = name.find_first_of("0123456789");
  unsigned bytes = 0;
  for (; end < name.size() && name[end] >= '0' && name[end] <= '9'; ++end)
    bytes = bytes * 10 + static_cast<unsigned>(name[end] - '0');
  const bool in_bits = name.find("atomic") != std::string_view::npos;
  return static_cast<std::uint8_t>(in_bits ? bytes / 8 : bytes);
}

Bounds bounds_written_by(std::string_view name) noexcept {
  const bool is_next = name.starts_with("__kmpc_dispatch_next_");
  if (!is_next && !name.starts_with("__kmpc_for_static_init_") && !name.starts_with("__kmpc_dist_for_static_init_"))
    return {};
  const bool long_ones = name.ends_with("_8") || name.ends_with("_8u");
  return {.bytes = static_cast<std::uint8_t>(long_ones ? 8 : 4),
          .flag = is_next ? third_argument : fourth_argument,
          .on_stack = !is_next};
}

} // namespace fletcher::tool::carried
