// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags of each family of compilers. Relies on the compilers' own -fsanitize=thread instrumentation, whose calls
// Fletcher's library answers instead of ThreadSanitizer's.

#include "tools/drivers/flags.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace fletcher::drivers {

namespace {

namespace fs = std::filesystem;

void append(Arguments& list, std::initializer_list<const char*> items) {
  list.insert(list.end(), items.begin(), items.end());
}

/// Options for the linker in a form that is an input for the linker wherever it stands, also after -x.
void append_linker(Arguments& list, const std::vector<std::string>& options) {
  const bool has_comma =
      std::any_of(options.begin(), options.end(), [](const auto& o) { return o.find(',') != std::string::npos; });
  if (has_comma) {
    for (const std::string& option : options) list.insert(list.end(), {"-Xlinker", option});
    return;
  }
  std::string joined = "-Wl";
  for (const std::string& option : options) joined += "," + option;
  list.push_back(joined);
}

/// Target regions are compiled for devices, too.
bool has_targets(const Arguments& given) {
  return std::any_of(given.begin(), given.end(), [](const auto& a) { return a.starts_with("-fopenmp-targets="); });
}

void compile_clang(Arguments& list, const Arguments& given, bool plugin) {
  append(list, {"-g", "-fsanitize=thread", "-fno-optimize-sibling-calls", "-fno-omit-frame-pointer"});
  // The compiler has no calls for 32- and 64-byte vectors, so such accesses would go unseen unless the plugin is there:
  // vectors of 16 bytes at most.
  if (!plugin) append(list, {"-mprefer-vector-width=128"});
  // x++ is reported as a read and a write in one call, where the default drops the read; and a volatile access says
  // that it is one. Neither costs a further call.
  std::vector<const char*> options{"-tsan-compound-read-before-write", "-tsan-distinguish-volatile"};
  // The equal ends of two branches are not made one: that would have the line of neither.
  if (plugin) options.emplace_back("-sink-common-insts=false");
  const bool offloads = has_targets(given);
  for (const char* option : options) {
    const std::string_view name = std::string_view(option).substr(0, std::string_view(option).find('='));
    const bool repeated = std::any_of(given.begin(), given.end(), [&](const auto& a) { return a.starts_with(name); });
    if (repeated) continue;
    if (offloads) // clang would warn for the device's compilation
      append(list, {"-Xclang", "-mllvm", "-Xclang", option});
    else
      append(list, {"-mllvm", option});
  }
}

/// The C++ library's templates are compiled with the program (cxx/c++config.h). To C the folder is an empty one.
void append_headers(Arguments& list, const tools::Installation& installation) {
  list.insert(list.end(), {"-isystem", installation.cxx_headers.string()});
}

void compile_gnu(Arguments& list, const Request& request) {
  // GCC instruments before it makes vectors, and tells both halves of x++ by itself. What a loop changes under a
  // condition only it would read before the loop, while it may be another thread's.
  append(list, {"-g", "-fsanitize=thread", "-fno-optimize-sibling-calls", "-fno-omit-frame-pointer",
                "--param=tsan-distinguish-volatile=1", "-fno-tree-loop-im"});
  // Nor what stands behind && without what stands before it: as a && b, or as (a | b) == 0 for a == 0 && b == 0, which
  // the front end makes where branches are dear, and reassociation anywhere.
  append(list, {"--param=logical-op-non-short-circuit=0", "-mbranch-cost=1", "-fno-tree-reassoc"});
  // Nor both of two neighbours where it needs one or the other.
  append(list, {"-fno-hoist-adjacent-loads"});
  // The equal ends of two branches are not made one, as with clang.
  append(list, {"-fno-crossjumping", "-fno-tree-tail-merge"});
  // Copying and filling stay calls of the functions of libc, which the library answers: the instrumentation passes by
  // what GCC makes of them. Fortran's are small ones only, as -fno-builtin is not for it.
  append(list, {"-mmemcpy-strategy=libcall:-1:noalign", "-mmemset-strategy=libcall:-1:noalign"});
  if (request.compiles && !request.fortran)
    append(list, {"-fno-builtin-memcpy", "-fno-builtin-memset", "-fno-builtin-memcmp", "-fno-builtin-strcpy",
                  "-fno-builtin-strcat", "-fno-builtin-strcmp"});
}

constexpr std::string_view as_needed = "--as-needed";

/// First of all libraries, because it stands in front of functions of libomp, of libc and of MPI; kept although nothing
/// of an uninstrumented object may refer to it. The libraries behind it are kept, too: where it has all functions of
/// one that the program calls, it calls that one in turn, and the linker does not know.
void link_fletcher(Arguments& list, const tools::Installation& installation) {
  append_linker(list, {"--no-as-needed", installation.library.string(), "-rpath", installation.libraries.string()});
}

/// The compiler links its libomptarget, but does not say where it is when the program runs.
void find_libomptarget(Arguments& list) {
  const auto libomp = tools::find_libomp();
  if (!libomp) return;
  const fs::path folder = libomp->parent_path();
  std::error_code none;
  if (fs::exists(folder / "libomptarget.so", none)) append_linker(list, {"-rpath", folder.string()});
}

void link_libomp(Arguments& list) {
  const auto libomp = tools::find_libomp();
  if (!libomp) return;
  const fs::path folder = libomp->parent_path();
  list.push_back("-L" + folder.string());
  if (!tools::on_default_library_path("libomp.so.5")) append_linker(list, {"-rpath", folder.string()});
}

bool is_libgomp(std::string_view argument) {
  const auto slash = argument.rfind('/');
  if (slash == std::string_view::npos || argument.starts_with('-') || argument.starts_with('@')) return false;
  const std::string_view name = argument.substr(slash + 1);
  return name == "libgomp.so" || name == "libgomp.so.1" || name == "libgomp.a";
}

} // namespace

Additions additions(const Request& request, const Arguments& given, Family family,
                    const std::optional<fs::path>& plugin, const tools::Installation& installation) {
  Additions added;
  const bool generates = request.compiles || (request.links && request.link_time);
  switch (family) {
  case Family::clang:
    // An assembler file or an object takes none of these; that is no reason to warn.
    added.before.emplace_back("--start-no-unused-arguments");
    if (generates) compile_clang(added.before, given, request.compiles && plugin.has_value());
    if (request.compiles) append_headers(added.before, installation);
    if (request.compiles && plugin) added.before.push_back("-fpass-plugin=" + plugin->string());
    if (request.links) append(added.before, {"-fno-sanitize-link-runtime"});
    added.before.emplace_back("--end-no-unused-arguments");
    if (request.links) added.before.push_back("-L" + installation.gcc_support.string());
    break;
  case Family::gnu:
    if (generates) compile_gnu(added.before, request);
    if (request.compiles && !request.fortran) append_headers(added.before, installation);
    // Here GCC finds an empty libtsan, and libomp where it looks for libgomp.
    if (request.links) added.before.push_back("-B" + installation.gcc_support.string() + "/");
    break;
  case Family::flang:
    if (generates) append(added.before, {"-g"});
    break;
  }
  if (request.links) {
    link_fletcher(added.before, installation);
    const bool own_libomp = family != Family::gnu && !request.names_libomp;
    if (!own_libomp && (request.openmp || request.names_libomp)) link_libomp(added.after);
    if (family == Family::clang && has_targets(given)) find_libomptarget(added.before);
  }
  return added;
}

Arguments without_as_needed(const Arguments& given) {
  constexpr std::string_view linker = "-Wl,", passed_on = "-Xlinker";
  Arguments result;
  for (std::string argument : given) {
    if (argument == as_needed && !result.empty() && result.back() == passed_on) {
      result.pop_back();
      continue;
    }
    if (argument.starts_with(linker)) {
      const std::string item = "," + std::string(as_needed);
      for (auto at = argument.find(item); at != std::string::npos; at = argument.find(item, at)) {
        const auto end = at + item.size();
        if (end == argument.size() || argument[end] == ',')
          argument.erase(at, item.size());
        else
          at = end;
      }
      if (argument.size() < linker.size()) continue;
    }
    result.push_back(std::move(argument));
  }
  return result;
}

Arguments without_libgomp(const Arguments& given) {
  Arguments result;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool is_output = i > 0 && given[i - 1] == "-o";
    result.push_back(!is_output && is_libgomp(given[i]) ? "-lgomp" : given[i]);
  }
  return result;
}

} // namespace fletcher::drivers
