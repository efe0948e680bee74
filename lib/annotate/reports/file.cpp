// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/reports/file.hpp"

#include "lib/annotate/reports/findings.hpp"
#include "lib/annotate/reports/later_writes.hpp"
#include "lib/annotate/reports/sanitizer_options.hpp"
#include "lib/annotate/reports/text.hpp"
#include "lib/annotate/reports/unfounded.hpp"
#include "lib/interpose/binding/late_binding.hpp"
#include "lib/interpose/real.hpp"
#include "lib/tool/findings/needed_values.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/process/ending.hpp"
#include "lib/tool/process/modules.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <utility>

namespace fletcher::annotate {

namespace {

using SetDescriptor = void(void* descriptor);
using SetDeathCallback = void(void (*callback)());

struct ReportFile {
  SetDescriptor* set = nullptr;
  int descriptor = -1;
  ino_t number = 0;                         ///< of the file, as the program may close it with all others
  off_t read = 0;                           ///< so much of it
  std::optional<off_t> end_of_order;        ///< what follows is of when nobody tells any more what OpenMP orders
  const std::atomic<char>* first = nullptr; ///< of its characters: zero until something is written; null: unknown
  std::uint64_t passed_on = 0;              ///< reports
  int copy = -1;                            ///< where the user wants ThreadSanitizer's own text; -1: not opened
  std::string copy_path;                    ///< without the number of the process; empty: nowhere
};
/// Never destroyed: it is written to until the very end.
ReportFile& file() {
  static auto* const the = new ReportFile;
  return *the;
}

template <class Function> Function* look_up(const char* name) noexcept {
  void* const found = dlsym(RTLD_DEFAULT, name);
  return found == nullptr || interpose::is_own(found) ? nullptr : reinterpret_cast<Function*>(found);
}

ino_t number_of(int descriptor) noexcept {
  struct stat file{};
  return fstat(descriptor, &file) == 0 ? file.st_ino : 0;
}

/// Standard error is what ThreadSanitizer writes to otherwise.
void begin_file(ReportFile& the) noexcept {
  the.descriptor = tool::put_aside(memfd_create("fletcher-reports", MFD_CLOEXEC));
  the.read = 0;
  the.end_of_order.reset();
  the.number = number_of(the.descriptor);
  the.first = nullptr;
  if (ftruncate(the.descriptor, 1) == 0)
    if (void* const page = mmap(nullptr, 1, PROT_READ, MAP_SHARED, the.descriptor, 0); page != MAP_FAILED)
      the.first = static_cast<const std::atomic<char>*>(page);
  const int to = the.descriptor >= 0 ? the.descriptor : STDERR_FILENO;
  the.set(reinterpret_cast<void*>(std::intptr_t{to}));
}

/// The child's text is its own, and not its parent's.
void after_fork_in_child() {
  ReportFile& the = file();
  if (the.descriptor < 0) return;
  if (number_of(the.descriptor) == the.number) close(the.descriptor);
  if (the.copy >= 0) close(std::exchange(the.copy, -1));
  begin_file(the);
}

/// ThreadSanitizer ends the process, as it does where it found something: at exit, or for a reason of its own.
void at_death() {
  static constinit std::atomic<bool> dying{false};
  if (dying.exchange(true)) return;
  const bool is_exit = tool::status_at_end() >= 0;
  const int status = tool::finish(tool::status_at_end());
  if (status < 0) return;
  if (is_exit) std::fflush(nullptr);
  syscall(SYS_exit_group, status);
}

/// So much was written: ThreadSanitizer and who reads by position have one descriptor.
off_t written(const ReportFile& the) noexcept { return lseek(the.descriptor, 0, SEEK_CUR); }

std::string text_from(const ReportFile& the, off_t begin) {
  const off_t end = written(the);
  std::string text(end > begin ? static_cast<std::size_t>(end - begin) : 0, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t more = pread(the.descriptor, &text[size], text.size() - size, begin + static_cast<off_t>(size));
    if (more <= 0) break;
    size += static_cast<std::size_t>(more);
  }
  text.resize(size);
  return text;
}

void copy(ReportFile& the, std::string_view text) {
  if (the.copy_path.empty() || text.empty()) return;
  if (the.copy_path == "stdout") return tool::write_all(STDOUT_FILENO, text);
  if (the.copy < 0) {
    const std::string path = the.copy_path + "." + std::to_string(getpid());
    the.copy = tool::put_aside(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0660));
  }
  tool::write_all(the.copy >= 0 ? the.copy : tool::log_descriptor(), text);
}

/// It says at the end how many reports there were: of findings others tell.
std::string without_total(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') == text.npos ? text.npos : text.find('\n') + 1);
    if (!line.starts_with("ThreadSanitizer: reported ")) rest += line;
    text.remove_prefix(line.size());
  }
  return rest;
}

bool is_report(std::string_view text) noexcept {
  return text.starts_with("====") || text.find("ERROR: ThreadSanitizer: ") != std::string_view::npos;
}

} // namespace

void take_reports() noexcept {
  if (interpose::is_behind_program()) return;
  ReportFile& the = file();
  the.set = look_up<SetDescriptor>("__sanitizer_set_report_fd");
  auto* const set_death_callback = look_up<SetDeathCallback>("__sanitizer_set_death_callback");
  if (the.set == nullptr || set_death_callback == nullptr) return;
  const std::string path = sanitizer_option("log_path").value_or("stderr");
  if (path != "stderr") the.copy_path = path;
  begin_file(the);
  if (the.descriptor < 0) return;
  set_death_callback(at_death);
  pthread_atfork(nullptr, nullptr, after_fork_in_child);
}

bool has_new_reports() noexcept {
  const ReportFile& the = file();
  return the.descriptor >= 0 && written(the) > the.read;
}

std::string reports_from(std::uint64_t& begin) {
  const ReportFile& the = file();
  if (the.descriptor < 0 || (the.first != nullptr && *the.first == 0)) return {};
  if (static_cast<off_t>(begin) > written(the)) begin = 0; // a child's
  return text_from(the, static_cast<off_t>(begin));
}

void read_reports(tool::Collector& collector, const std::string& program, bool all) {
  ReportFile& the = file();
  if (the.descriptor < 0) return;
  if (number_of(the.descriptor) != the.number) {
    the.descriptor = -1;
    the.set(reinterpret_cast<void*>(std::intptr_t{STDERR_FILENO}));
    return tool::say("the program closed the file that ThreadSanitizer writes its reports into: some may be lost");
  }
  const std::string text = text_from(the, the.read);
  if (text.empty()) return;
  const std::vector<reports::Module> modules = tool::known_modules(program);
  std::string rest;
  std::size_t read = 0;
  for (const PrintedPiece& piece : read_reports(std::string_view(text), all)) {
    const std::uint64_t place = static_cast<std::uint64_t>(the.read) + read;
    read += piece.text.size();
    auto finding = piece.race ? finding_of(*piece.race, modules) : std::nullopt;
    if (finding) {
      if (the.end_of_order && static_cast<off_t>(place) >= *the.end_of_order) continue;
      if (may_be_unfounded(*finding)) continue;
      if (!is_followed_by_write(place)) tool::tell_unneeded_reads(*finding);
      collector.add(std::move(*finding));
      continue;
    }
    if (is_report(piece.text)) ++the.passed_on;
    rest += piece.text;
  }
  the.read += static_cast<off_t>(read);
  copy(the, std::string_view(text).substr(0, read));
  if (the.copy_path.empty()) tool::write_all(tool::log_descriptor(), the.passed_on != 0 ? rest : without_total(rest));
}

void end_order() noexcept {
  ReportFile& the = file();
  if (the.descriptor >= 0) the.end_of_order = written(the);
}

std::uint64_t reports_passed_on() noexcept { return file().passed_on; }

std::optional<std::uint32_t> exit_status_of_sanitizer() {
  const auto text = sanitizer_option("exitcode");
  std::uint32_t status = 0;
  if (!text || std::sscanf(text->c_str(), "%u", &status) != 1) return std::nullopt;
  return status;
}

} // namespace fletcher::annotate
