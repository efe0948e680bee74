// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice about the run (option advise): records it, and adds what it shows to the findings at the end.
#pragma once

#include "checker/ids.hpp"

namespace fletcher {
class Checker;
class Listener;
namespace access {
struct ThreadState;
}
} // namespace fletcher

namespace fletcher::tool {

class Collector;
class Session;

namespace advice {

/// From now on the run is recorded; the listener has to hear of all events. To be called once.
Listener& record(Checker& checker);
bool is_recording() noexcept;

/// The thread is about to call a function of which nothing is known, or one that reads or writes a stream.
void meets_unseen_code(access::ThreadState& thread);
void uses_stream(access::ThreadState& thread, Address pc);

/// The run is over.
void conclude(Session& session);

} // namespace advice
} // namespace fletcher::tool
