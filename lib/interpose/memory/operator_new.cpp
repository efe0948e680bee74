// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// operator new and delete: the allocation is reported by malloc and free beneath, but its place in the program is here.
// They jump to the C++ runtime's own; where the process has none, to malloc. This library's objects have a heap of
// their own.

#include "lib/interpose/memory/heap_blocks.hpp"
#include "lib/interpose/memory/own_heap.hpp"
#include "lib/interpose/real.hpp"

#include <cstdlib>
#include <new>

using namespace fletcher;
using namespace fletcher::interpose;

extern "C" [[gnu::weak]] void __lsan_ignore_object(const void*);

namespace {

using Size = std::size_t;
using Align = std::align_val_t;
using Nothrow = const std::nothrow_t&;

// What does not throw is said not to: else the jumps of those that must not throw would be calls, from the tool itself.
constinit Real<void*(Size)> new_one{"_Znwm"}, new_array{"_Znam"};
constinit Real<void*(Size, Nothrow) noexcept> new_one_nothrow{"_ZnwmRKSt9nothrow_t"},
    new_array_nothrow{"_ZnamRKSt9nothrow_t"};
constinit Real<void*(Size, Align)> new_one_aligned{"_ZnwmSt11align_val_t"}, new_array_aligned{"_ZnamSt11align_val_t"};
constinit Real<void*(Size, Align, Nothrow) noexcept> new_one_aligned_nothrow{"_ZnwmSt11align_val_tRKSt9nothrow_t"},
    new_array_aligned_nothrow{"_ZnamSt11align_val_tRKSt9nothrow_t"};
constinit Real<void(void*) noexcept> delete_one{"_ZdlPv"}, delete_array{"_ZdaPv"};
constinit Real<void(void*, Size) noexcept> delete_one_sized{"_ZdlPvm"}, delete_array_sized{"_ZdaPvm"};
constinit Real<void(void*, Nothrow) noexcept> delete_one_nothrow{"_ZdlPvRKSt9nothrow_t"},
    delete_array_nothrow{"_ZdaPvRKSt9nothrow_t"};
constinit Real<void(void*, Align) noexcept> delete_one_aligned{"_ZdlPvSt11align_val_t"},
    delete_array_aligned{"_ZdaPvSt11align_val_t"};
constinit Real<void(void*, Size, Align) noexcept> delete_one_sized_aligned{"_ZdlPvmSt11align_val_t"},
    delete_array_sized_aligned{"_ZdaPvmSt11align_val_t"};
constinit Real<void(void*, Align, Nothrow) noexcept> delete_one_aligned_nothrow{"_ZdlPvSt11align_val_tRKSt9nothrow_t"},
    delete_array_aligned_nothrow{"_ZdaPvSt11align_val_tRKSt9nothrow_t"};

/// Where the call goes on to: the C++ runtime's function if there is one. The tool's own calls stay here,
/// whatever the program made of operator new.
template <class Signature>
[[gnu::always_inline]] inline typename Real<Signature>::Function next(Real<Signature>& function, Address pc) noexcept {
  if (modules::tool.contains(pc)) [[unlikely]]
    return nullptr;
  if (observed(pc) != nullptr) allocation_pc = pc;
  return function.get();
}

/// In a program with AddressSanitizer: what this library keeps for the life of the process is not the program's leak.
void* kept(void* block) noexcept {
  if (&__lsan_ignore_object != nullptr && block != nullptr) __lsan_ignore_object(block);
  return block;
}

/// Where the call does not go on. Only the tool's are its objects: of a C program, which has no C++ runtime, a library
/// may have calls, too.
void* allocate(Address pc, Size size) noexcept {
  if (modules::tool.contains(pc))
    if (void* const own = own_heap::allocate(size, 16)) return own;
  return kept(std::malloc(size));
}
void* allocate(Address pc, Size size, Align align) noexcept {
  const auto alignment = static_cast<Size>(align);
  if (modules::tool.contains(pc))
    if (void* const own = own_heap::allocate(size, alignment)) return own;
  return kept(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
}

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline void release(Real<Signature>& function, Address pc, void* block,
                                           Arguments... arguments) noexcept {
  if (own_heap::owns(block)) return own_heap::free(block);
  if (const auto real = next(function, pc)) return real(block, arguments...);
  std::free(block);
}

[[gnu::noinline]] void* or_throw(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

} // namespace

// A program may replace them, and then its own code is instrumented: this library's calls stay here.
asm(R"(
  .protected _Znwm, _Znam, _ZnwmRKSt9nothrow_t, _ZnamRKSt9nothrow_t, _ZnwmSt11align_val_t, _ZnamSt11align_val_t
  .protected _ZnwmSt11align_val_tRKSt9nothrow_t, _ZnamSt11align_val_tRKSt9nothrow_t, _ZdlPv, _ZdaPv, _ZdlPvm, _ZdaPvm
  .protected _ZdlPvRKSt9nothrow_t, _ZdaPvRKSt9nothrow_t, _ZdlPvSt11align_val_t, _ZdaPvSt11align_val_t
  .protected _ZdlPvmSt11align_val_t, _ZdaPvmSt11align_val_t
  .protected _ZdlPvSt11align_val_tRKSt9nothrow_t, _ZdaPvSt11align_val_tRKSt9nothrow_t
)");

#pragma GCC visibility push(default)

void* operator new(Size n) {
  if (const auto real = next(new_one, caller())) return real(n);
  return or_throw(allocate(caller(), n));
}
void* operator new[](Size n) {
  if (const auto real = next(new_array, caller())) return real(n);
  return or_throw(allocate(caller(), n));
}
void* operator new(Size n, Nothrow tag) noexcept {
  if (const auto real = next(new_one_nothrow, caller())) return real(n, tag);
  return allocate(caller(), n);
}
void* operator new[](Size n, Nothrow tag) noexcept {
  if (const auto real = next(new_array_nothrow, caller())) return real(n, tag);
  return allocate(caller(), n);
}
void* operator new(Size n, Align align) {
  if (const auto real = next(new_one_aligned, caller())) return real(n, align);
  return or_throw(allocate(caller(), n, align));
}
void* operator new[](Size n, Align align) {
  if (const auto real = next(new_array_aligned, caller())) return real(n, align);
  return or_throw(allocate(caller(), n, align));
}
void* operator new(Size n, Align align, Nothrow tag) noexcept {
  if (const auto real = next(new_one_aligned_nothrow, caller())) return real(n, align, tag);
  return allocate(caller(), n, align);
}
void* operator new[](Size n, Align align, Nothrow tag) noexcept {
  if (const auto real = next(new_array_aligned_nothrow, caller())) return real(n, align, tag);
  return allocate(caller(), n, align);
}

void operator delete(void* p) noexcept { release(delete_one, caller(), p); }
void operator delete[](void* p) noexcept { release(delete_array, caller(), p); }
void operator delete(void* p, Size n) noexcept { release(delete_one_sized, caller(), p, n); }
void operator delete[](void* p, Size n) noexcept { release(delete_array_sized, caller(), p, n); }
void operator delete(void* p, Nothrow tag) noexcept { release(delete_one_nothrow, caller(), p, tag); }
void operator delete[](void* p, Nothrow tag) noexcept { release(delete_array_nothrow, caller(), p, tag); }
void operator delete(void* p, Align align) noexcept { release(delete_one_aligned, caller(), p, align); }
void operator delete[](void* p, Align align) noexcept { release(delete_array_aligned, caller(), p, align); }
void operator delete(void* p, Size n, Align align) noexcept {
  release(delete_one_sized_aligned, caller(), p, n, align);
}
void operator delete[](void* p, Size n, Align align) noexcept {
  release(delete_array_sized_aligned, caller(), p, n, align);
}
void operator delete(void* p, Align align, Nothrow tag) noexcept {
  release(delete_one_aligned_nothrow, caller(), p, align, tag);
}
void operator delete[](void* p, Align align, Nothrow tag) noexcept {
  release(delete_array_aligned_nothrow, caller(), p, align, tag);
}

#pragma GCC visibility pop
