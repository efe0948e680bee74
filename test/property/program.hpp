// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random OpenMP program in the abstract: a tree of constructs that the simulator can run under any schedule, the
// shrinker can cut, and a person can read as pseudo-OpenMP. Relies on the checker's vocabulary only.
#pragma once

#include "checker/access/cells/cell.hpp"
#include "checker/events.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace fletcher::property {

enum class Op : std::uint8_t {
  block,  ///< the program, or one member's share of a phase: runs its body
  access, ///< of `variable`, as `access`
  locked, ///< runs its body (accesses, inner locks) holding `lock`
  task,   ///< an explicit task; runs its body there
  taskwait,
  taskwait_depend, ///< for `depend`
  taskgroup,
  taskyield,
  cancel,  ///< of the innermost taskgroup; the last construct of an explicit task
  fulfill, ///< of event `number`, if it is there and open
  release, ///< of synchronisation object `number`
  acquire,
  parallel, ///< a team of `number`; the body is its phases
  phase,    ///< the body is a block for each member
  loop,     ///< a phase whose body is iterations, dealt to the members one by one
  single,   ///< a phase whose body is what the first member that comes executes
  ordered,  ///< within an iteration
  source,   ///< within an iteration: ordered depend(source)
  sink,     ///< within an iteration i: ordered depend(sink: i - number)
};

struct Construct {
  Op op = Op::block;
  std::uint32_t id = 0; ///< its own within the program; becomes the pc
  std::uint32_t number = 0;
  std::uint32_t variable = 0;
  access::Kind access = access::Kind::read;
  MutexKind lock_kind = MutexKind::critical;
  std::uint32_t lock = 0;
  TaskTraits traits;
  std::vector<Dependence> depend;
  std::uint32_t event = 0;                       ///< of a task: its detach event, 0 for none
  bool nowait = false;                           ///< of a phase: no barrier after it
  bool dynamic = false;                          ///< of a loop: the next iteration is for whoever asks first
  bool divided = false;                          ///< of a static loop: each iteration is a piece
  SyncKind barrier = SyncKind::barrier_explicit; ///< of a phase: which one ends it
  std::vector<Construct> body;
};

struct Program {
  Construct root;
  std::uint32_t variables = 0;
};

/// Gives every construct its own id, from 1 in textual order.
void number_constructs(Program& program);
std::size_t size(const Construct& construct);

/// The place of a construct as the checker sees it.
inline Address pc_of(std::uint32_t id) { return 0x400000 + Address{id} * 16; }
inline std::uint32_t id_of(Address pc) { return static_cast<std::uint32_t>((pc - 0x400000) / 16); }

std::string to_text(access::Kind kind);
std::string to_text(DependenceType type);
/// As pseudo-OpenMP, with the constructs' ids in a comment.
void print(std::ostream& out, const Program& program);

} // namespace fletcher::property
