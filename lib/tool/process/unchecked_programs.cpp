// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/tool/process/unchecked_programs.hpp"

#include "checker/memory/hash.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/process/modules.hpp"
#include "lib/tool/process/process.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/thread.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace fletcher::tool {

namespace {

constexpr off_t most_read = 32 << 20; ///< of a file

/// What this process knows before it starts any.
struct Launcher {
  std::array<char, PATH_MAX> library{}; ///< empty: nothing is said
  dev_t device = 0;                     ///< of standard error
  ino_t errors = 0;
};
constinit Launcher launcher;

/// The files that were looked at: by this process and those that it forks.
using Known = std::array<std::atomic<std::uint64_t>, 4096 / sizeof(std::uint64_t)>;
constinit Known* known_files = nullptr;

[[gnu::constructor(103)]] void loaded() { // once this process has the libraries that fit
  if (std::getenv(run_variable) == nullptr) return;
  const InsideTool inside;
  const std::string own = own_path();
  struct stat errors{};
  if (own.size() >= launcher.library.size() || fstat(STDERR_FILENO, &errors) != 0 || !options_of_environment().enabled)
    return;
  void* const page = mmap(nullptr, sizeof(Known), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  known_files = static_cast<Known*>(page);
  launcher.device = errors.st_dev;
  launcher.errors = errors.st_ino;
  own.copy(launcher.library.data(), own.size());
}

/// False also where there is no room.
bool is_new(const struct stat& file) noexcept {
  const std::uint64_t name = (memory::spread(file.st_dev) ^ file.st_ino) | 1;
  for (auto& one : *known_files) {
    std::uint64_t known = 0;
    if (one.compare_exchange_strong(known, name)) return true;
    if (known == name) return false;
  }
  return false;
}

struct Program {
  int descriptor;
  struct stat status;
  bool is_elf = false, is_static = true;
};

/// Without waiting, as opening a pipe with a name would.
Program look_at(const char* file) noexcept {
  Program program{.descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK), .status = {}};
  Elf64_Ehdr header{};
  if (program.descriptor < 0 || fstat(program.descriptor, &program.status) != 0 || !S_ISREG(program.status.st_mode) ||
      pread(program.descriptor, &header, sizeof header, 0) != sizeof header)
    return program;
  program.is_elf = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
                   header.e_phentsize == sizeof(Elf64_Phdr);
  for (unsigned i = 0; program.is_elf && i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    const auto at = static_cast<off_t>(header.e_phoff + i * sizeof part);
    if (pread(program.descriptor, &part, sizeof part, at) == sizeof part && part.p_type == PT_INTERP)
      program.is_static = false;
  }
  return program;
}

/// As execve(2) gives them, and as the dynamic linker then keeps out what the user names.
bool gains_rights(const Program& program) noexcept {
  struct statvfs system{};
  if (fstatvfs(program.descriptor, &system) != 0 || (system.f_flag & ST_NOSUID) != 0 ||
      prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
    return false;
  const struct stat& status = program.status;
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) return true;
  constexpr mode_t group = S_ISGID | S_IXGRP;
  if ((status.st_mode & group) == group && status.st_gid != getegid()) return true;
  return geteuid() != 0 && fgetxattr(program.descriptor, "security.capability", nullptr, 0) > 0;
}

/// The file has this text in what is read of it.
bool has(const Program& program, std::string_view text) noexcept {
  std::array<char, 4096> buffer{}; // who starts programs may have a small stack
  std::size_t kept = 0;            // of what was read before, as the text may begin there
  for (off_t at = 0; at < most_read;) {
    const ssize_t size = pread(program.descriptor, buffer.data() + kept, buffer.size() - kept, at);
    if (size <= 0) return false;
    at += size;
    const std::size_t filled = kept + static_cast<std::size_t>(size);
    if (memmem(buffer.data(), filled, text.data(), text.size()) != nullptr) return true;
    kept = std::min(filled, text.size() - 1);
    std::memmove(buffer.data(), buffer.data() + filled - kept, kept);
  }
  return false;
}

/// Has a runtime of OpenMP in it, or names one, and brings no copy of this library.
bool has_openmp(const Program& program) noexcept {
  const bool found = program.is_static
                         ? has(program, "OMP_NUM_THREADS")
                         : has(program, "libgomp.so") || has(program, "libomp.so") || has(program, "libiomp5.so");
  return found && !has(program, "libfletcher.so") && !has(program, "FLETCHER_OPTIONS");
}

bool loads_this_library(char* const* environment) noexcept {
  constexpr std::string_view name = "LD_PRELOAD=";
  for (char* const* one = environment; one != nullptr && *one != nullptr; ++one)
    if (std::strncmp(*one, name.data(), name.size()) == 0) return std::strstr(*one, launcher.library.data()) != nullptr;
  return false;
}

bool has_users_errors() noexcept {
  struct stat errors{};
  return fstat(STDERR_FILENO, &errors) == 0 && errors.st_dev == launcher.device && errors.st_ino == launcher.errors;
}

void explain(const char* file, const Program& program, char* const* environment) noexcept {
  const char* reason = nullptr;
  if (program.is_static)
    reason = "is statically linked: no library can be loaded into it";
  else if (gains_rights(program))
    reason = "gets rights that its user does not have (set-user-id, set-group-id or capabilities): no library can be "
             "loaded into it";
  else if (!loads_this_library(environment))
    reason = "is started without the variable LD_PRELOAD that 'fletcher run' has set";
  if (reason == nullptr || !is_new(program.status) || !has_openmp(program)) return;
  const char* const slash = std::strrchr(file, '/');
  std::array<char, 512> line{};
  std::snprintf(line.data(), line.size(), "fletcher: %.200s %s, so it is not checked\n",
                slash == nullptr ? file : slash + 1, reason);
  write_all(STDERR_FILENO, line.data());
}

} // namespace

void about_to_execute(const char* file, char* const* environment) noexcept {
  if (known_files == nullptr || file == nullptr || this_thread.inside != 0 || !has_users_errors()) return;
  const int error = errno;
  const Program program = look_at(file);
  if (program.is_elf) explain(file, program, environment);
  if (program.descriptor >= 0) close(program.descriptor);
  errno = error;
}

void about_to_execute_found(const char* name, char* const* environment) noexcept {
  if (known_files == nullptr || name == nullptr) return;
  if (std::strchr(name, '/') != nullptr) return about_to_execute(name, environment);
  const char* folder = std::getenv("PATH");
  std::array<char, PATH_MAX> path{};
  while (folder != nullptr) {
    const char* const end = std::strchr(folder, ':');
    const auto size = static_cast<int>(end == nullptr ? std::strlen(folder) : static_cast<std::size_t>(end - folder));
    std::snprintf(path.data(), path.size(), "%.*s%s%s", size, folder, size == 0 ? "" : "/", name);
    if (::access(path.data(), X_OK) == 0) return about_to_execute(path.data(), environment);
    folder = end == nullptr ? nullptr : end + 1;
  }
}

} // namespace fletcher::tool
