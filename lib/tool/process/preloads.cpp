// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher run` has this library and LLVM's OpenMP runtime loaded into each process that the program starts, too,
// whatever its file is. Here each process looks, before its main(), whether they fit what else is loaded.
// Where they do not, it starts over with those that do.

#include "lib/tool/process/preloads.hpp"

#include "lib/interpose/binding/references.hpp"
#include "lib/interpose/openmp/openmp_runtimes.hpp"
#include "lib/interpose/real.hpp"
#include "lib/tool/log.hpp"
#include "lib/tool/process/ending.hpp"
#include "lib/tool/process/modules.hpp"
#include "lib/tool/process/process.hpp"
#include "lib/tool/thread.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fletcher::tool {

namespace {

/// LLVM's runtime as `fletcher run` found it; and which process has started over, with which program.
constexpr const char *run_libomp = "FLETCHER_RUN_LIBOMP", *started_over = "FLETCHER_RUN_STARTED_OVER";

/// What the dynamic linker has loaded so far.
struct Loaded {
  int llvm_runtimes = 0;
  bool libgomp = false, thread_sanitizer = false;
  std::string gccs_sanitizer; ///< the name of gcc's, such as "libtsan.so.2"
};

bool is_gccs_sanitizer(std::string_view name) { return name.starts_with("libtsan.so"); }

int look(dl_phdr_info* module, std::size_t, void* data) {
  auto& loaded = *static_cast<Loaded*>(data);
  const std::string_view name = interpose::file_name(*module);
  loaded.libgomp |= interpose::is_libgomp(name);
  loaded.llvm_runtimes += interpose::is_llvm_runtime(name) ? 1 : 0;
  loaded.thread_sanitizer |= is_gccs_sanitizer(name) || name.starts_with("libclang_rt.tsan");
  if (is_gccs_sanitizer(name)) loaded.gccs_sanitizer = name;
  return 0;
}

/// 1 for a module with target constructs as gcc compiles them.
int look_for_targets(dl_phdr_info* module, std::size_t, void*) {
  const std::string_view name = interpose::file_name(*module);
  if (interpose::is_libgomp(name) || name.starts_with("libfletcher")) return 0;
  return interpose::any_undefined(*module, [](const char* one) { return interpose::begins(one, "GOMP_target"); });
}

/// 1 for a module with calls that compilers make for LLVM's runtime.
int look_for_llvms_calls(dl_phdr_info* module, std::size_t, void*) {
  const std::string_view name = interpose::file_name(*module);
  if (interpose::is_llvm_runtime(name) || name.starts_with("libfletcher")) return 0;
  return interpose::any_undefined(*module, [](const char* one) { return interpose::begins(one, "__kmpc_"); });
}

/// 1 for a module that calls what all of gcc's sanitizers offer, not only what instrumentation calls.
int look_for_sanitizers_calls(dl_phdr_info* module, std::size_t, void*) {
  const std::string_view name = interpose::file_name(*module);
  if (is_gccs_sanitizer(name) || name.starts_with("libfletcher")) return 0;
  return interpose::any_undefined(*module, [](const char* one) {
    return interpose::begins(one, "__sanitizer_") || interpose::begins(one, "__interceptor_");
  });
}

/// A library by the name of gcc's ThreadSanitizer, which keeps that out of the process: its functions then are those of
/// this library, and its interceptors are not there. Empty where the program has another one, or needs it.
std::string stand_in(const Loaded& loaded, const std::string& own) {
  if (loaded.gccs_sanitizer.empty() || dl_iterate_phdr(look_for_sanitizers_calls, nullptr) != 0) return {};
  std::string file = own.substr(0, own.rfind('/')) + "/fletcher/gcc/" + loaded.gccs_sanitizer;
  return ::access(file.c_str(), R_OK) == 0 ? file : std::string();
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// A list in the environment that the dynamic linker or the OpenMP runtime reads.
std::vector<std::string> list_of(const char* name) {
  const std::string text = environment(name);
  std::vector<std::string> all;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(": "), rest.size());
    if (end != 0) all.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return all;
}

void set_list(const char* name, const std::vector<std::string>& all) {
  std::string list;
  for (const std::string& part : all) list += (list.empty() ? "" : ":") + part;
  if (list.empty())
    unsetenv(name);
  else
    setenv(name, list.c_str(), 1);
}

std::string mark(const std::string& program) { return std::to_string(getpid()) + ":" + program; }

/// The program once more, by the name that it was started with, which becomes the process's; for a script its
/// interpreter's file. Returns where that is not possible.
void start_over(const std::string& program) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<char*> words;
  for (std::size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) words.push_back(text.data() + at);
  if (words.empty()) return;
  words.push_back(nullptr);
  setenv(started_over, mark(program).c_str(), 1);
  const auto* const name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  std::array<char, PATH_MAX> file_meant{};
  const bool same = name != nullptr && realpath(name, file_meant.data()) != nullptr && program == file_meant.data();
  execv(same ? name : program.c_str(), words.data());
}

/// A runtime that checks each access to memory and stands before libc, as this library does, but not beside it. Asked
/// for before anything else, as its free() calls what this library would look up, and that calls free().
const char* memory_checker() noexcept {
  const interpose::LookingUp here;
  const char* found = nullptr;
  for (const auto& [function, its_name] : {std::pair{"__asan_init", "AddressSanitizer"},
                                           {"__hwasan_init", "HWAddressSanitizer"},
                                           {"__msan_init", "MemorySanitizer"}})
    if (dlsym(RTLD_DEFAULT, function) != nullptr) found = its_name;
  dlerror(); // the text of what was not found
  dlerror(); // is freed by the next call
  return found;
}

struct Choice {
  bool this_library, libomp;
  bool opened_by_runtime = false; ///< this library, instead
};

/// Why the program cannot be checked; empty where it can.
std::string obstacle(const Loaded& loaded, const char* checker) {
  if (loaded.libgomp &&
      dl_iterate_phdr(look_for_targets, nullptr) != 0) // some of libomp's functions for them do nothing
    return "has target constructs for libgomp, which LLVM's runtime does not support: it runs on libgomp, and nothing "
           "is checked";
  if (checker != nullptr)
    return std::string("was built with ") + checker + ": it runs as it is, and nothing is checked";
  return {};
}

Choice choose(const Loaded& loaded, bool has_libomp, bool libomp_is_there) {
  Choice choice{true, has_libomp};
  if (has_libomp) // the program's own runtime stays
    choice.libomp = loaded.llvm_runtimes < 2 && (loaded.libgomp || !loaded.thread_sanitizer);
  else
    choice.libomp = loaded.libgomp && loaded.llvm_runtimes == 0 && libomp_is_there;
  // Another ThreadSanitizer that is a library would lose the program's accesses to one in front of it, but keep its
  // interceptors: the OpenMP runtime opens this library instead, which then leaves the accesses to it.
  choice.opened_by_runtime = loaded.thread_sanitizer;
  const void* const tool = dlsym(RTLD_DEFAULT, "ompt_start_tool");
  const bool has_another = tool != nullptr && !interpose::is_own(tool); // maybe its own copy of this library
  choice.this_library = !has_another && !loaded.thread_sanitizer;
  return choice;
}

/// Then the tables find no room, which the session says.
bool address_space_is_limited() noexcept {
  rlimit space{};
  return getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
}

/// In the process that `fletcher run` became, as its user knows nothing of what the others are linked to.
void say_runtime(const std::string& program, const Loaded& loaded, const Choice& choice, const std::string& libomp) {
  if (!loaded.libgomp || !is_run()) return;
  const std::string fact = program + " is linked to libgomp, which has no OMPT";
  if (choice.libomp) {
    if (!address_space_is_limited()) say(fact + ": it runs on " + libomp + " instead");
  } else if (loaded.llvm_runtimes == 0) {
    say(fact + ", and LLVM's libomp.so was not found: nothing is checked");
    unchecked_is_explained();
  }
}

/// What makes LLVM's runtime more like libgomp for a program that would run on that: libgomp keeps a lock in the
/// program's variable, LLVM's runtime by default in a table, which takes 190 bytes for each, and which a child of
/// fork() loses; and libgomp does not complain of deprecated routines. A program for LLVM's runtime keeps what that
/// does.
void suit_program() {
  constexpr const char* ours = "FLETCHER_RUN_SUITED"; // which of these variables are not the user's
  constexpr std::array like_libgomp{std::pair{"KMP_LOCK_KIND", "futex"}, std::pair{"KMP_WARNINGS", "0"}};
  std::vector<std::string> set = list_of(ours);
  for (const std::string& name : set) unsetenv(name.c_str());
  set.clear();
  if (dl_iterate_phdr(look_for_llvms_calls, nullptr) == 0)
    for (const auto& [name, value] : like_libgomp) {
      if (std::getenv(name) != nullptr) continue; // the user's choice
      setenv(name, value, 1);
      set.emplace_back(name);
    }
  set_list(ours, set);
}

/// What ThreadSanitizer would report where nobody tells it of OpenMP is no finding: it takes each join for a race.
void silence_thread_sanitizer() {
  std::string options = environment("TSAN_OPTIONS");
  if (options.find("report_bugs") != std::string::npos) return; // the user's choice
  options += options.empty() ? "report_bugs=0" : " report_bugs=0";
  setenv("TSAN_OPTIONS", options.c_str(), 1);
}

/// `preloads` has this library, whose path is `own`.
void settle(const std::string& own, std::vector<std::string> preloads, const char* checker) {
  const std::string path = program_path(), program = path.substr(path.rfind('/') + 1);
  const std::string libomp = environment(run_libomp);
  const bool has_libomp = !libomp.empty() && std::ranges::find(preloads, libomp) != preloads.end();
  Loaded loaded;
  dl_iterate_phdr(look, &loaded);
  const std::string reason = obstacle(loaded, checker);
  const std::string no_sanitizer = reason.empty() ? stand_in(loaded, own) : "";
  if (!no_sanitizer.empty()) loaded.thread_sanitizer = false;
  const Choice choice = reason.empty() ? choose(loaded, has_libomp, !libomp.empty()) : Choice{false, false};
  if (reason.empty() && choice.libomp) suit_program();
  if (reason.empty())
    say_runtime(program, loaded, choice, libomp);
  else
    say(program + " " + reason);
  if (!reason.empty() && loaded.thread_sanitizer) silence_thread_sanitizer();
  if (choice.this_library && choice.libomp == has_libomp && no_sanitizer.empty()) return;

  if (!no_sanitizer.empty()) preloads.insert(std::ranges::find(preloads, own) + 1, no_sanitizer);
  if (choice.libomp && !has_libomp) preloads.insert(std::ranges::find(preloads, own) + 1, libomp);
  if (!choice.libomp) std::erase(preloads, libomp);
  if (!choice.this_library) std::erase(preloads, own);
  set_list("LD_PRELOAD", preloads);
  if (choice.opened_by_runtime) {
    std::vector<std::string> tools = list_of("OMP_TOOL_LIBRARIES");
    tools.insert(tools.begin(), own);
    set_list("OMP_TOOL_LIBRARIES", tools);
  }
  start_over(path);
}

[[gnu::constructor(102)]] void loaded() { settle_preloads(); } // before whatever looks functions up

} // namespace

void settle_preloads() {
  static constinit std::atomic<bool> done{false};
  if (std::getenv(run_variable) == nullptr || done.exchange(true)) return;
  const InsideTool inside;
  const char* const checker = memory_checker();
  const std::string own = own_path();
  std::vector<std::string> preloads = list_of("LD_PRELOAD");
  const bool preloaded = std::ranges::find(preloads, own) != preloads.end();
  if (preloaded && environment(started_over) != mark(program_path())) settle(own, std::move(preloads), checker);
}

} // namespace fletcher::tool
