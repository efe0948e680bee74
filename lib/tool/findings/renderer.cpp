// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handing the document to `fletcher render` in an anonymous file and waiting for it.

#include "lib/tool/findings/renderer.hpp"

#include "lib/tool/log.hpp"
#include "lib/tool/log_file.hpp"
#include "lib/tool/process/modules.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace fletcher::tool {

namespace {

/// What `fletcher render --check` says by its exit status (reports/render.hpp).
constexpr int no_error_left = 0, errors_left = 1, untold = 4;

/// What the renderer finds its document and its trace as.
constexpr int document_descriptor = 3, trace_descriptor = 4;

/// FLETCHER_BINARY decides; otherwise the program beside this library, otherwise where this was to be installed.
std::string find_renderer() {
  if (const char* const named = std::getenv("FLETCHER_BINARY"); named != nullptr && *named != '\0') return named;
  const std::string own = own_path();
  const std::string folder = own.substr(0, own.rfind('/'));
  for (const std::string& path : {folder + "/" FLETCHER_BINARY_FROM_LIBRARY, std::string(FLETCHER_INSTALLED_BINARY)})
    if (access(path.c_str(), X_OK) == 0) return path;
  return folder + "/" FLETCHER_BINARY_FROM_LIBRARY;
}

/// Without what would load this library (or make the program's own settings the renderer's). FLETCHER_SYMBOLIZER is
/// meant for it.
std::vector<std::string> environment_for_renderer() {
  constexpr std::array<std::string_view, 7> dropped{"LD_PRELOAD=", "LD_AUDIT=", "OMP_", "KMP_",
                                                    "FLETCHER_",   "LIBOMP_",   "GOMP_"};
  std::vector<std::string> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("FLETCHER_SYMBOLIZER=") ||
        std::none_of(dropped.begin(), dropped.end(), [&](std::string_view d) { return text.starts_with(d); }))
      kept.emplace_back(text);
  }
  return kept;
}

struct Renderer {
  std::string program = find_renderer();
  std::vector<std::string> environment = environment_for_renderer();
};

/// Never destroyed: it is used at the very end.
Renderer& renderer() {
  static auto* const the = new Renderer;
  return *the;
}

/// What exec() takes. Points into `texts`.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// A file without a name that holds the text; -1 where there is no room for one. Its number is none that the renderer
/// is given, even if the program has closed its standard streams.
int anonymous_file(std::string_view text) noexcept {
  const int file = moved_up(memfd_create("fletcher-document", MFD_CLOEXEC), trace_descriptor + 1);
  if (file < 0) return -1;
  if (write_whole(file, text)) {
    lseek(file, 0, SEEK_SET);
    return file;
  }
  const int error = errno;
  close(file);
  errno = error;
  return -1;
}

/// While it lives, a child's status is kept for us whatever the program does with SIGCHLD.
class KeepChildren {
public:
  KeepChildren() noexcept {
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &standard, &before_);
  }
  ~KeepChildren() { sigaction(SIGCHLD, &before_, nullptr); }
  KeepChildren(const KeepChildren&) = delete;
  KeepChildren& operator=(const KeepChildren&) = delete;

private:
  struct sigaction before_{};
};

/// Starts it with `document` and the log as stderr. Returns its wait status, or -1 and errno. In a session of its own:
/// who ends the program by a signal to its process group (timeout, a terminal) means to get the report. What reaches
/// it before it has that session waits, blocked, and is dropped by it (tools/cli/render).
int run(Renderer& renderer, std::vector<std::string>& arguments, int document, int trace) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (log_descriptor() != STDERR_FILENO) posix_spawn_file_actions_adddup2(&actions, log_descriptor(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, document, document_descriptor);
  if (trace >= 0) posix_spawn_file_actions_adddup2(&actions, trace, trace_descriptor);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &all);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  const KeepChildren keep;
  pid_t child = 0;
  const int error = posix_spawn(&child, renderer.program.c_str(), &actions, &attributes, pointers(arguments).data(),
                                pointers(renderer.environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    errno = error;
    return -1;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

} // namespace

void remember_environment() { renderer(); }

Rendered render(const Options& options, const reports::Document& document, const Rendering& wish) {
  const bool files = wish.files();
  const std::string instead = files ? "; findings are printed without symbols, report files are not written"
                                    : "; findings are printed without symbols";
  const int file = anonymous_file(reports::to_json(document));
  if (file < 0) {
    say(std::string("cannot hand over the report: ") + std::strerror(errno) + instead);
    return Rendered::failed;
  }
  const std::string& program = renderer().program;
  std::vector<std::string> arguments{
      program,   "render",     "--check", "--document", "/proc/self/fd/" + std::to_string(document_descriptor),
      "--color", options.color};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {name, value});
  };
  add("--sarif", wish.sarif);
  add("--html", wish.html);
  add("--text", wish.text);
  const int trace = wish.graph.empty() ? -1 : anonymous_file(wish.trace);
  if (trace >= 0) {
    add("--graph", wish.graph);
    add("--trace", "/proc/self/fd/" + std::to_string(trace_descriptor));
  }
  add("--symbolizer", options.symbolizer);
  add("--suppressions", options.suppressions);
  add("--ignorelist", options.ignorelist);
  add("--baseline", options.baseline);
  if (!options.group) arguments.emplace_back("--no-group");
  if (!wish.console) arguments.emplace_back("--quiet");
  int status = run(renderer(), arguments, file, trace);
  // A log that takes no more: again, for stderr.
  if (status != -1 && WIFEXITED(status) && (WEXITSTATUS(status) & untold) != 0 && leave_log_file(ENOSPC))
    status = run(renderer(), arguments, file, trace);
  const int error = errno;
  close(file);
  if (trace >= 0) close(trace);
  if (status != -1 && WIFEXITED(status)) {
    const int told = WEXITSTATUS(status) & ~untold;
    if (told == no_error_left) return Rendered::clean;
    if (told == errors_left) return Rendered::errors;
  }
  if (status == -1)
    say("cannot run '" + program + "': " + std::strerror(error) + instead);
  else
    say("'" + program + " render' failed (wait status " + std::to_string(status) + ")" + instead);
  return Rendered::failed;
}

} // namespace fletcher::tool
