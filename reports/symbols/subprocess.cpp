// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program as a filter. The input goes through an anonymous file, so that only one pipe has to be served.
#include "reports/symbols/subprocess.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace fletcher::reports {
namespace {

class Descriptor {
public:
  explicit Descriptor(int value) noexcept : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  int get() const noexcept { return value_; }
  void reset() noexcept {
    if (value_ >= 0) ::close(value_);
    value_ = -1;
  }

private:
  int value_;
};

constexpr std::string_view servers_variable = "DEBUGINFOD_URLS=";

bool loads_a_tool(std::string_view variable) {
  constexpr std::array<std::string_view, 4> unwanted{"LD_PRELOAD=", "LD_AUDIT=", "OMP_TOOL", "FLETCHER_"};
  for (const auto prefix : unwanted)
    if (variable.starts_with(prefix)) return true;
  return false;
}

std::vector<char*> clean_environment(Servers servers) {
  std::vector<char*> out;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (!loads_a_tool(*variable) &&
        (servers == Servers::yes || !std::string_view(*variable).starts_with(servers_variable)))
      out.push_back(*variable);
  out.push_back(nullptr);
  return out;
}

bool fill(int descriptor, std::string_view input) {
  while (!input.empty()) {
    const ssize_t written = ::write(descriptor, input.data(), input.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    input.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::lseek(descriptor, 0, SEEK_SET) == 0;
}

/// Everything until end of file; false when the time is up.
bool drain(int descriptor, std::string& out, std::chrono::seconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd poll_descriptor{descriptor, POLLIN, 0};
    const int ready = ::poll(&poll_descriptor, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    char block[1 << 16];
    const ssize_t got = ::read(descriptor, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    out.append(block, static_cast<std::size_t>(got));
  }
}

} // namespace

Result<std::string> run_filter(const std::string& program, const std::vector<std::string>& arguments,
                               std::string_view input, std::chrono::seconds limit, Servers servers) {
  const Descriptor in(::memfd_create("fletcher-input", MFD_CLOEXEC));
  if (in.get() < 0 || !fill(in.get(), input)) return Error{"cannot pass input to " + program};
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error{"cannot make a pipe to " + program};
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);

  std::vector<char*> command{const_cast<char*>(program.c_str())};
  for (const auto& argument : arguments) command.push_back(const_cast<char*>(argument.c_str()));
  command.push_back(nullptr);
  std::vector<char*> environment = clean_environment(servers);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, to.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int code = ::posix_spawn(&child, program.c_str(), &actions, nullptr, command.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return Error{"cannot run " + program + ": " + std::strerror(code)};
  to.reset();

  std::string out;
  const bool complete = drain(from.get(), out, limit);
  if (!complete) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!complete) return Error{program + " did not finish within " + std::to_string(limit.count()) + " seconds"};
  const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!good && out.empty()) return Error{program + " failed"};
  return out;
}

} // namespace fletcher::reports
