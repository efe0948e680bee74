// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random OpenMP program as a tree of constructs that can be printed as C and read by the letter of the specification.
// Every leaf accesses one of a few shared variables, on a source line of its own.
#pragma once

#include "checker/events.hpp"

#include <cstdint>
#include <vector>

namespace fletcher::compiled {

enum class Op : std::uint8_t {
  block,  ///< its body
  access, ///< of `variable`
  locked, ///< its body, accesses and inner locks only, under `lock`
  task,
  detached, ///< a task with an event (body[0]), and a sibling that does body[1], fulfils the event and does body[2]
  taskwait,
  taskwait_depend,
  taskgroup,
  taskloop, ///< of `count` iterations, `chunk` in each task
  taskyield,
  parallel,  ///< a team of `count`, 0: of as many as the run has; its body is what follows
  everybody, ///< each member's own execution of the body
  barrier,
  single,
  masked,
  sections, ///< each of the body is one
  loop,     ///< worksharing, of `count` iterations, one at a time
};

enum class Form : std::uint8_t { read, write, update, atomic_read, atomic_write, atomic_update };
constexpr bool writes(Form form) { return form != Form::read && form != Form::atomic_read; }
constexpr bool atomic(Form form) { return form >= Form::atomic_read; }

struct Construct {
  Op op = Op::block;
  std::uint32_t line = 0; ///< of an access: where it was printed
  std::uint32_t variable = 0;
  Form form = Form::read;
  std::uint32_t lock = 0; ///< below named_criticals: a critical construct's name; then locks
  std::uint32_t count = 0, chunk = 0;
  bool undeferred = false, final = false, untied = false;
  bool nowait = false;   ///< of a taskloop: nogroup
  bool dynamic = false;  ///< of a loop: whoever asks first gets the next iteration
  bool own_copy = false; ///< has a firstprivate variable that it writes
  std::uint32_t priority = 0;
  std::vector<Dependence> depend; ///< addresses from 0, each at most once
  std::vector<Construct> body;
};

constexpr std::uint32_t named_criticals = 2, lock_count = 4, dependence_addresses = 3;

struct Program {
  Construct before, region, after; ///< before and after: serial accesses
  std::uint32_t variables = 0;
  std::uint64_t seed = 0;
  std::uint32_t first_line = 0, last_line = 0; ///< of its function, where it was printed
};

} // namespace fletcher::compiled
