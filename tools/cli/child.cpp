// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cli/child.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace fletcher::cli {

std::optional<Ended> run_child(const std::vector<std::string>& words, const std::filesystem::path& output,
                               std::optional<std::chrono::seconds> limit) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv.front(), &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return std::nullopt;

  const auto begin = std::chrono::steady_clock::now();
  Ended out;
  int status = 0;
  for (auto pause = std::chrono::milliseconds(1);; pause = std::min(2 * pause, std::chrono::milliseconds(50))) {
    const pid_t done = ::waitpid(child, &status, limit ? WNOHANG : 0);
    out.time = std::chrono::steady_clock::now() - begin;
    if (done == child) break;
    if (done < 0 && errno != EINTR) return std::nullopt;
    if (!limit) continue;
    if (!out.timed_out && out.time > *limit) {
      out.timed_out = true;
      ::kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(pause);
  }
  out.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return out;
}

} // namespace fletcher::cli
