// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random delays at events, so that a program's threads meet in other orders than they mostly do (option `delay`). First
// in the chain of listeners: a thread waits before the checker follows what it did.
#pragma once

#include "checker/events.hpp"

namespace fletcher::tool {

class Delays final : public Listener {
public:
  explicit Delays(std::uint32_t seed) noexcept : seed_(seed) {}

  void on(const ImplicitTaskBegin& e) override { wait(e.thread); }
  void on(const TaskCreate& e) override { wait(e.thread); }
  void on(const TaskSwitch& e) override { wait(e.thread); }
  void on(const SyncBegin& e) override { wait(e.thread); }
  void on(const SyncEnd& e) override { wait(e.thread); }
  void on(const MutexEvent& e) override { wait(e.thread); }
  void on(const Work& e) override { wait(e.thread); }
  void on(const Dispatch& e) override { wait(e.thread); }
  void on(const Release& e) override { wait(e.thread); }
  void on(const Acquire& e) override { wait(e.thread); }

private:
  void wait(ThreadId thread) const noexcept;
  std::uint32_t seed_;
};

} // namespace fletcher::tool
