// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first handlers are registered by functions of this library that call them, as long as they are wanted.

#include "lib/interpose/takeover/fork_handlers.hpp"

#include "lib/interpose/real.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace fletcher::interpose {

namespace {

using Handler = void (*)();

struct Handlers {
  Handler prepare = nullptr, parent = nullptr, child = nullptr;
  std::atomic<bool> wanted{true};
};
constexpr std::size_t most = 4; // the runtime has one
constinit std::array<Handlers, most> first;
constinit std::size_t count = 0; // no other thread runs yet
/// Volatile, for else clang runs its constructor itself, and it is true from the start.
constinit volatile bool constructed = false;
[[gnu::constructor]] void loaded() { constructed = true; }

constinit Real<int(Handler, Handler, Handler, void*) noexcept> real_register{"__register_atfork"};

template <std::size_t index, Handler Handlers::* handler> void call() {
  if (first[index].wanted.load(std::memory_order_acquire) && first[index].*handler != nullptr)
    (first[index].*handler)();
}

struct Callers {
  Handler prepare, parent, child;
};
template <std::size_t... index> constexpr std::array<Callers, most> make_callers(std::index_sequence<index...>) {
  return {{{call<index, &Handlers::prepare>, call<index, &Handlers::parent>, call<index, &Handlers::child>}...}};
}
constexpr std::array<Callers, most> callers = make_callers(std::make_index_sequence<most>());

} // namespace

void fork_handlers::leave_out(Address code_begin, Address code_end) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    if (const auto at = reinterpret_cast<std::uintptr_t>(first[i].prepare); at >= code_begin && at < code_end)
      first[i].wanted.store(false, std::memory_order_release);
}

} // namespace fletcher::interpose

using namespace fletcher::interpose;

/// What pthread_atfork is made of.
extern "C" [[gnu::visibility("default")]] int __register_atfork(Handler prepare, Handler parent, Handler child,
                                                                void* library) noexcept {
  if (constructed || count == most) return real_register(prepare, parent, child, library);
  Handlers& its = first[count];
  its.prepare = prepare;
  its.parent = parent;
  its.child = child;
  const Callers& ours = callers[count++];
  return real_register(ours.prepare, ours.parent, ours.child, library);
}
