// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who becomes another program, as launchers do, mostly in a child of fork() or vfork(): so the functions are looked up
// before. posix_spawn() is in spawn.cpp.

#include "lib/interpose/real.hpp"
#include "lib/tool/process/unchecked_programs.hpp"

#include <unistd.h>

using fletcher::tool::about_to_execute, fletcher::tool::about_to_execute_found;

namespace {

using fletcher::interpose::Real;

constinit Real<int(const char*, char* const*, char* const*) noexcept> real_execve{"execve"}, real_execvpe{"execvpe"};
constinit Real<int(const char*, char* const*) noexcept> real_execv{"execv"}, real_execvp{"execvp"};

[[gnu::constructor]] void loaded() {
  real_execve.get();
  real_execvpe.get();
  real_execv.get();
  real_execvp.get();
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int execve(const char* file, char* const* words, char* const* environment) noexcept {
  about_to_execute(file, environment);
  return real_execve(file, words, environment);
}
int execv(const char* file, char* const* words) noexcept {
  about_to_execute(file, environ);
  return real_execv(file, words);
}
int execvp(const char* name, char* const* words) noexcept {
  about_to_execute_found(name, environ);
  return real_execvp(name, words);
}
int execvpe(const char* name, char* const* words, char* const* environment) noexcept {
  about_to_execute_found(name, environment);
  return real_execvpe(name, words, environment);
}

} // extern "C"
#pragma GCC visibility pop
