// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __tsan_init: called by a constructor of every instrumented object before main, and again for libraries loaded later.

#include "lib/interpose/binding/modules.hpp"
#include "lib/interpose/effects/binding_calls.hpp"
#include "lib/tool/process/modules.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/thread.hpp"

#include <unistd.h>

using namespace fletcher;

extern "C" [[gnu::weak]] char __libc_single_threaded;

#pragma GCC visibility push(default)
extern "C" {

void __tsan_init() {
  // What gcc links with -fsanitize=thread calls before libc knows the environment; the objects' constructors call
  // again.
  if (environ == nullptr) return;
  interpose::modules::find_instrumented();
  interpose::modules::find_runtimes();
  const tool::Session* const session = tool::start(true);
  if (session == nullptr) return;
  {
    const tool::InsideTool inside;
    interpose::bind_calls_of_instrumented();
    tool::remember_module(reinterpret_cast<Address>(__builtin_return_address(0)), session->program());
  }
  // libstdc++ counts references by plain accesses while there is one thread; tasks that share an object would then race
  // by chance of the number of threads.
  if (&__libc_single_threaded != nullptr) __libc_single_threaded = false;
}

} // extern "C"
#pragma GCC visibility pop
