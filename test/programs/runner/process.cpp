// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX processes; output goes to temporary files, so that no pipe can fill up.
#include "process.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <poll.h>
#include <string_view>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" char** environ;

namespace fletcher::programs {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File temporary_file() { return {std::tmpfile(), &std::fclose}; }

std::string contents(std::FILE* file) {
  std::string out;
  std::rewind(file);
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) out.append(buffer, n);
  return out;
}

bool decides_about_tools(std::string_view variable) {
  for (const std::string_view prefix : {"FLETCHER_", "OMP_", "KMP_", "LIBOMP_", "TSAN_OPTIONS=", "LD_PRELOAD="})
    if (variable.substr(0, prefix.size()) == prefix) return true;
  return false;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (auto& one : strings) out.push_back(one.data());
  out.push_back(nullptr);
  return out;
}

std::string quoted(const std::string& word) {
  if (word.find_first_of(" '\"$&*()<>|;") == std::string::npos && !word.empty()) return word;
  return "'" + word + "'";
}

} // namespace

std::string Command::text() const {
  std::string out;
  for (const auto& word : environment) {
    const auto equals = word.find('=');
    out += word.substr(0, equals + 1) + quoted(word.substr(equals + 1)) + " ";
  }
  for (const auto& word : arguments) out += (&word == arguments.data() ? "" : " ") + quoted(word);
  return out;
}

Outcome run(const Command& command, const std::filesystem::path& folder, std::chrono::seconds limit) {
  const File output = temporary_file(), errors = temporary_file();
  auto arguments = command.arguments;
  std::vector<std::string> environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!decides_about_tools(*variable)) environment.emplace_back(*variable);
  environment.insert(environment.end(), command.environment.begin(), command.environment.end());
  const auto argv = pointers(arguments), envp = pointers(environment);

  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    dup2(fileno(output.get()), STDOUT_FILENO);
    dup2(fileno(errors.get()), STDERR_FILENO);
    if (chdir(folder.c_str()) == 0) execvpe(argv[0], argv.data(), envp.data());
    std::perror(argv[0]);
    _exit(127);
  }

  Outcome outcome;
  pollfd end{static_cast<int>(syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  outcome.timed_out = poll(&end, 1, static_cast<int>(std::chrono::milliseconds(limit).count())) == 0;
  if (outcome.timed_out) kill(-child, SIGKILL);
  close(end.fd);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.output = contents(output.get());
  outcome.errors = contents(errors.get());
  return outcome;
}

} // namespace fletcher::programs
