// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine code that the take-over puts near the program for function entry and exit: it keeps the shadow call stack
// as this library's functions do, wherever it is copied to, and leaves the rare cases to them.

#include "lib/interpose/takeover/frame_code.hpp"

#include "test/instrument/recorder.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <cstring>

using fletcher::Address;
using fletcher::access::Frame;
using fletcher::test::WatchedThread;

extern "C" void __tsan_func_entry(void*);

namespace {

int others = 0;
void other() { ++others; }

class FrameCode : public testing::Test {
protected:
  void SetUp() override {
    const auto* const rest = reinterpret_cast<const void*>(&other);
    const auto entry = fletcher::interpose::frame_code("__tsan_func_entry", rest),
               exit = fletcher::interpose::frame_code("__tsan_func_exit", rest);
#if defined(__x86_64__)
    ASSERT_TRUE(entry && exit); // the layout is what the code takes it for
#endif
    if (!entry || !exit) GTEST_SKIP() << "not for this processor";
    page_ = mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(page_, MAP_FAILED);
    std::memcpy(page_, entry->data(), entry->size());
    std::memcpy(static_cast<char*>(page_) + exit_at, exit->data(), exit->size());
    ASSERT_EQ(mprotect(page_, page_size, PROT_READ | PROT_EXEC), 0);
    others = 0;
  }
  void TearDown() override {
    if (page_ != nullptr && page_ != MAP_FAILED) munmap(page_, page_size);
  }
  void enter(Address from) const { call(reinterpret_cast<Entry*>(page_), from); }
  void leave() const { reinterpret_cast<void (*)()>(static_cast<char*>(page_) + exit_at)(); }
  using Entry = void(void*);
  /// All frames have the same place and stack.
  [[gnu::noinline]] static void call(Entry* entry, Address from) {
    entry(reinterpret_cast<void*>(from));
    asm volatile(""); // it is no tail call
  }

  static constexpr std::size_t page_size = 4096, exit_at = 2048;
  void* page_ = nullptr;
};

TEST_F(FrameCode, PushesWhatTheLibraryPushesAndPops) {
  WatchedThread thread;
  auto& stack = thread.state().stack;
  stack.reset_lowest(1);
  for (Entry* const entry : {&__tsan_func_entry, reinterpret_cast<Entry*>(page_)})
    for (Address from = 1; from <= 3; ++from) call(entry, from);
  ASSERT_EQ(stack.top() - stack.begin(), 6);
  for (const Frame* of_library = stack.begin(); of_library < stack.begin() + 3; ++of_library) {
    const Frame& frame = of_library[3];
    EXPECT_EQ(frame.pc, of_library->pc);
    EXPECT_EQ(frame.frame_pointer, of_library->frame_pointer);
    EXPECT_EQ(frame.context, of_library->context);
    EXPECT_EQ(frame.body, of_library->body);
    EXPECT_EQ(frame.stack_pointer, of_library->stack_pointer);
  }
  for (int i = 0; i < 6; ++i) leave();
  EXPECT_EQ(stack.top(), stack.begin());
  EXPECT_EQ(others, 0);
}

TEST_F(FrameCode, LeavesTheRestToTheLibrary) {
  enter(1); // a thread that is not known
  leave();
  EXPECT_EQ(others, 2);
  WatchedThread thread;
  auto& stack = thread.state().stack;
  stack.reset_lowest(~Address{0});
  enter(1); // lower than before
  leave();  // at the base
  EXPECT_EQ(others, 4);
  stack.reset_lowest(1);
  for (int i = 0; i < 64; ++i) enter(1);
  EXPECT_EQ(others, 4);
  enter(1); // more than there is room for
  EXPECT_EQ(others, 5);
  EXPECT_EQ(stack.top() - stack.begin(), 64);
  stack.push(1, 0); // as the library does it
  leave();
  EXPECT_EQ(others, 6);
  EXPECT_EQ(stack.top() - stack.begin(), 64);
}

TEST_F(FrameCode, IsForNothingElse) {
  EXPECT_FALSE(fletcher::interpose::frame_code("__tsan_read8", nullptr));
  EXPECT_FALSE(fletcher::interpose::frame_code("__tsan_func_entry_exit", nullptr));
}

} // namespace
