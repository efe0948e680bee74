// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/unseen_calls.hpp"

#include "lib/interpose/binding/references.hpp"
#include "lib/interpose/binding/slots.hpp"
#include "lib/interpose/openmp/openmp_runtimes.hpp"
#include "lib/interpose/real.hpp"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace fletcher::annotate {

namespace {

/// Of what accesses memory only what keeps none, and does not wait: ThreadSanitizer delays signals of threads that wait
/// elsewhere. Of a lock only its begin and end, which count as writes.
constexpr std::array names{"bcmp",
                           "memchr",
                           "memcmp",
                           "memcpy",
                           "memmem",
                           "memmove",
                           "memset",
                           "strchr",
                           "strcmp",
                           "strcpy",
                           "strlen",
                           "strstr",
                           "strncmp",
                           "strncpy",
                           "pread",
                           "read",
                           "strspn",
                           "strnlen",
                           "write",
                           "snprintf",
                           "strcasestr",
                           "fstat",
                           "lstat",
                           "stat",
                           "strrchr",
                           "writev",
                           "sprintf",
                           "strncasecmp",
                           "clock_gettime",
                           "gettimeofday",
                           "readlink",
                           "vsnprintf",
                           "pthread_mutex_init",
                           "pthread_mutex_destroy",
                           "pthread_cond_destroy"};

struct Function {
  std::string_view name;
  void* instead;
};

constinit const ThreadSanitizer* the_sanitizer = nullptr;

/// ThreadSanitizer takes the begin and the end of a block for writes, too.
struct Unseen {
  Unseen() noexcept { the_sanitizer->ignore(); }
  ~Unseen() { the_sanitizer->notice(); }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;
};

/// A function of ThreadSanitizer's allocator, and one that calls it so.
template <auto function> struct Allocation;
template <class Result, class... Arguments, Result (*function)(Arguments...) noexcept> struct Allocation<function> {
  using Next = Result(Arguments...);
  static inline constinit Next* next = nullptr;
  static Result call(Arguments... arguments) {
    const Unseen here;
    return next(arguments...);
  }
  static void add(const char* name, std::vector<Function>& functions) {
    void* const found = dlsym(RTLD_DEFAULT, name);
    void* const sanitizer = dlsym(RTLD_DEFAULT, "__tsan_init");
    if (found == nullptr || sanitizer == nullptr || !interpose::in_one_module(found, sanitizer)) return;
    next = reinterpret_cast<Next*>(found);
    functions.push_back({name, reinterpret_cast<void*>(&call)});
  }
};

bool is_meant(const dl_phdr_info& module) noexcept {
  return interpose::is_llvm_runtime(interpose::file_name(module)) ||
         interpose::slots::is_in(module, PT_LOAD, reinterpret_cast<const void*>(&call_unseen));
}

int lead(dl_phdr_info* module, std::size_t, void* data) {
  const auto& functions = *static_cast<const std::vector<Function>*>(data);
  if (!is_meant(*module)) return 0;
  interpose::any_reference(*module, [&](const interpose::Reference& reference) {
    if (reference.slot == nullptr) return false;
    const auto found = std::ranges::find(functions, reference.name(), &Function::name);
    if (found != functions.end()) interpose::slots::replace(*module, reference.slot, found->instead);
    return false;
  });
  return 0;
}

} // namespace

void call_unseen(const ThreadSanitizer& sanitizer) {
  the_sanitizer = &sanitizer;
  Dl_info libc{};
  if (dladdr(reinterpret_cast<const void*>(&gnu_get_libc_version), &libc) == 0) return;
  void* const handle = dlopen(libc.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return;
  std::vector<Function> functions;
  for (const std::string_view name : names)
    if (void* const found = dlsym(handle, name.data())) functions.push_back({name, found});
  dlclose(handle);
  Allocation<&std::malloc>::add("malloc", functions);
  Allocation<&std::calloc>::add("calloc", functions);
  Allocation<&std::realloc>::add("realloc", functions);
  Allocation<&posix_memalign>::add("posix_memalign", functions);
  Allocation<&std::free>::add("free", functions);
  dl_iterate_phdr(lead, &functions);
}

} // namespace fletcher::annotate
