// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that an interposer stands in front of: looked up when it is first needed, because interposers are called
// before any constructor of this library has run. Relies on dlsym, which itself may allocate (see bootstrap.hpp).
#pragma once

#include <atomic>

namespace fletcher::interpose {

/// The next definition of `name` after this library's. Null: there is none.
void* next_definition(const char* name) noexcept;

/// One library, or the program, defines both. Null is nowhere.
bool in_one_module(const void* one, const void* other) noexcept;

/// This library defines it.
bool is_own(const void* function) noexcept;

namespace detail {
[[gnu::tls_model("initial-exec")]] inline constinit thread_local bool looking_up = false;
}

/// This thread is looking a function up: what is called meanwhile cannot rely on the real functions.
[[gnu::always_inline]] inline bool looking_up() noexcept { return detail::looking_up; }

/// While it lives, this thread is taken to look a function up.
class LookingUp {
public:
  LookingUp() noexcept { detail::looking_up = true; }
  ~LookingUp() { detail::looking_up = before_; }
  LookingUp(const LookingUp&) = delete;
  LookingUp& operator=(const LookingUp&) = delete;

private:
  bool before_ = detail::looking_up;
};

template <class Signature> class Real;

/// Constant-initialised and without a destructor, so that it may be called at any time. A call is a tail call, in an
/// interposer that is noexcept only where the signature is, too.
template <class Result, bool never_throws, class... Arguments> class Real<Result(Arguments...) noexcept(never_throws)> {
public:
  using Function = Result (*)(Arguments...) noexcept(never_throws);

  explicit constexpr Real(const char* name) noexcept : name_(name) {}
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;

  /// Null where the process has no other definition.
  [[gnu::always_inline]] Function get() noexcept {
    const Function function = function_.load(std::memory_order_relaxed);
    if (function != nullptr) [[likely]]
      return function;
    return find();
  }
  /// As far as it has been looked up.
  Function known() const noexcept { return function_.load(std::memory_order_relaxed); }
  /// Only where the function is known to exist (libc's own).
  [[gnu::always_inline]] Result operator()(Arguments... arguments) noexcept(never_throws) {
    return get()(arguments...);
  }

private:
  [[gnu::noinline, gnu::cold]] Function find() noexcept {
    if (missing_.load(std::memory_order_relaxed)) return nullptr;
    const auto function = reinterpret_cast<Function>(next_definition(name_));
    if (function != nullptr)
      function_.store(function, std::memory_order_relaxed);
    else
      missing_.store(true, std::memory_order_relaxed);
    return function;
  }

  const char* name_;
  std::atomic<Function> function_{nullptr};
  std::atomic<bool> missing_{false};
};

} // namespace fletcher::interpose
