// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes random programs. All of them are legal, end under every schedule, and decide nothing by the values that they
// read, so that which lines race follows from the specification alone. Left out is what it, the compilers or the
// runtime leave open:
// - taskloops whose number of tasks the runtime may choose, tasks outside of the region, cancellation;
// - mutexinoutset tasks and critical sections with constructs in them: whether these are excluded, too, depends on who
//   waits for them;
// - members of a team that do what their number says (static loops and masked apart), and two units of work, such as
//   single or a section, in a nested region;
// - what clang 19, gcc 12 or libomp 19 get wrong: detach and inoutset with gcc, sets of undeferred tasks, sets among
//   the children of explicit tasks (libomp frees their locks too early), untied tasks that are undeferred or have other
//   constructs than tasks in them.
#pragma once

#include "program.hpp"

namespace fletcher::compiled {

enum class Compiler : std::uint8_t { clang, gcc };

/// Of what programs are made. libomp 19 aborts where a process has both detached tasks and inner regions, with one
/// thread.
struct Kind {
  Compiler compiler = Compiler::clang;
  bool detach = false; ///< detached tasks (clang's only) in place of inner regions
};

Program generate(std::uint64_t seed, Kind kind);

} // namespace fletcher::compiled
