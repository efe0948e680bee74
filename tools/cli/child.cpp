// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cli/child.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace fletcher::cli {

namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

/// This process's, with `changes`.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each)
    if (!changes.contains(std::string(*each, std::strcspn(*each, "=")))) out.emplace_back(*each);
  for (const auto& [name, value] : changes) out.push_back(name + "=" + value);
  return out;
}

std::optional<pid_t> spawn(const Launch& launch) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, launch.input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, launch.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (launch.interrupted != nullptr) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const std::vector<std::string> variables = environment_with(launch.environment);
  const std::vector<char*> argv = pointers(launch.words), environment = pointers(variables);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv.front(), &files, &attributes, argv.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return std::nullopt;
  return child;
}

} // namespace

std::optional<Ended> run_child(const Launch& launch) {
  const auto child = spawn(launch);
  if (!child) return std::nullopt;
  const pid_t whom = launch.interrupted != nullptr ? -*child : *child;
  const auto begin = std::chrono::steady_clock::now();
  const auto is_interrupted = [&] { return launch.interrupted != nullptr && launch.interrupted->load(); };
  Ended out;
  int status = 0;
  std::optional<std::chrono::duration<double>> asked; ///< when it was to end by itself
  bool killed = false;
  for (auto pause = std::chrono::milliseconds(1);; pause = std::min(2 * pause, std::chrono::milliseconds(50))) {
    const bool wait = !launch.limit && launch.interrupted == nullptr;
    const pid_t done = ::waitpid(*child, &status, wait ? 0 : WNOHANG);
    out.time = std::chrono::steady_clock::now() - begin;
    if (done == *child) break;
    if (done < 0 && errno != EINTR) return std::nullopt;
    if (wait) continue;
    if (!asked && ((launch.limit && out.time > *launch.limit) || is_interrupted())) {
      out.timed_out = !is_interrupted();
      asked = out.time;
      if (launch.grace.count() > 0) ::kill(whom, SIGTERM);
    }
    if (asked && !killed && out.time - *asked >= launch.grace) {
      ::kill(whom, SIGKILL);
      killed = true;
    }
    std::this_thread::sleep_for(pause);
  }
  if (asked && launch.interrupted != nullptr) ::kill(whom, SIGKILL); // what it started and left
  out.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return out;
}

} // namespace fletcher::cli
