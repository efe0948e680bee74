// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ThreadSanitizer's public interface (sanitizer/tsan_interface.h): edges, mutexes and accesses that the program reports
// itself. What asks about ThreadSanitizer's own reports finds none.

#include "lib/instrument/access.hpp"
#include "lib/instrument/annotations.hpp"

#include <cstdint>

using namespace fletcher;
using namespace fletcher::instrument;

namespace {

// Flags of __tsan_mutex_*: part of the interface.
constexpr unsigned read_lock = 1u << 3;
constexpr unsigned try_lock_failed = 1u << 5;

Address place(void* pc) noexcept { return reinterpret_cast<Address>(pc); }

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __tsan_acquire(void* object) { happens_after(object); }
void __tsan_release(void* object) { happens_before(object); }

void __tsan_mutex_create(void* lock, unsigned) { lock_created(lock, caller()); }
void __tsan_mutex_destroy(void* lock, unsigned) { lock_destroyed(lock, caller()); }

// Between pre and post the lock's own code runs, which the annotation stands for.
void __tsan_mutex_pre_lock(void*, unsigned) { ignore_begin(); }
void __tsan_mutex_post_lock(void* lock, unsigned flags, int) {
  ignore_end();
  if ((flags & try_lock_failed) == 0) lock_acquired(lock, (flags & read_lock) == 0, caller());
}
int __tsan_mutex_pre_unlock(void* lock, unsigned flags) {
  lock_releasing(lock, (flags & read_lock) == 0, caller());
  ignore_begin();
  return 1; // levels of recursion that it releases
}
void __tsan_mutex_post_unlock(void*, unsigned) { ignore_end(); }
void __tsan_mutex_pre_signal(void*, unsigned) { ignore_begin(); }
void __tsan_mutex_post_signal(void*, unsigned) { ignore_end(); }
void __tsan_mutex_pre_divert(void*, unsigned) { ignore_end(); }
void __tsan_mutex_post_divert(void*, unsigned) { ignore_begin(); }
void __tsan_check_no_mutexes_held() {}

void __tsan_ignore_thread_begin() { ignore_begin(); }
void __tsan_ignore_thread_end() { ignore_end(); }
void __tsan_on_thread_idle() {}
void __tsan_flush_memory() {}

// Objects of uninstrumented libraries: one byte stands for the object.
void* __tsan_external_register_tag(const char*) {
  static char tag;
  return &tag;
}
void __tsan_external_register_header(void*, const char*) {}
void __tsan_external_assign_tag(void*, void*) {}
void __tsan_external_read(void* object, void* pc, void*) { check(object, 1, Kind::read, place(pc)); }
void __tsan_external_write(void* object, void* pc, void*) { check(object, 1, Kind::write, place(pc)); }

void* __tsan_get_current_report() { return nullptr; }
int __tsan_get_report_data(void*, const char**, int*, int*, int*, int*, int*, int*, int*, void**, std::size_t) {
  return 0;
}
int __tsan_get_report_tag(void*, std::size_t*) { return 0; }
int __tsan_get_report_stack(void*, std::size_t, void**, std::size_t) { return 0; }
int __tsan_get_report_mop(void*, std::size_t, int*, void**, int*, int*, int*, void**, std::size_t) { return 0; }
int __tsan_get_report_loc(void*, std::size_t, const char**, void**, std::size_t*, std::size_t*, int*, int*, int*,
                          void**, std::size_t) {
  return 0;
}
int __tsan_get_report_loc_object_type(void*, std::size_t, const char**) { return 0; }
int __tsan_get_report_mutex(void*, std::size_t, std::size_t*, void**, int*, void**, std::size_t) { return 0; }
int __tsan_get_report_thread(void*, std::size_t, int*, std::uint64_t*, int*, const char**, int*, void**, std::size_t) {
  return 0;
}
int __tsan_get_report_unique_tid(void*, std::size_t, int*) { return 0; }
const char* __tsan_locate_address(std::size_t, char*, std::size_t, std::size_t*, std::size_t*) { return ""; }
int __tsan_get_alloc_stack(std::size_t, std::size_t*, std::size_t, int*, std::uint64_t*) { return 0; }

} // extern "C"
#pragma GCC visibility pop
