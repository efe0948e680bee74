// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for libfletcher.so, libomp and programs. Candidates that a package of the system may use come after the
// ones known when Fletcher was configured.

#include "tools/common/installation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/auxv.h>
#include <unistd.h>

namespace fletcher::tools {

namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The version in the name of a folder such as llvm-19; 0 for another name.
int llvm_version(const fs::path& folder) {
  const std::string name = folder.filename().string();
  constexpr std::string_view prefix = "llvm-";
  int version = 0;
  if (name.starts_with(prefix)) std::from_chars(name.data() + prefix.size(), name.data() + name.size(), version);
  return version;
}

/// The folders of all installed versions of LLVM, newest first.
std::vector<fs::path> llvm_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/usr/lib", error))
    if (llvm_version(entry.path()) > 0) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end(),
            [](const fs::path& a, const fs::path& b) { return llvm_version(a) > llvm_version(b); });
  return folders;
}

constexpr std::array default_library_folders{
    "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"};

} // namespace

Installation find_installation() {
  std::error_code error;
  fs::path self = fs::canonical("/proc/self/exe", error);
  if (error) self = fs::canonical(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), error); // /proc is not mounted
  Installation found;
  found.binaries = self.parent_path();
  for (const char* candidate : {"../lib", FLETCHER_LIBRARIES_FROM_BINARIES}) {
    found.libraries = (found.binaries / candidate).lexically_normal();
    if (!is_there(found.libraries / "libfletcher.so")) continue;
    found.library = found.libraries / "libfletcher.so";
    break;
  }
  for (const auto& [name, path] : {std::pair{"fletcher/frame-variables", &Installation::frame_variables},
                                   std::pair{"fletcher/llvm-symbolizer", &Installation::symbolizer},
                                   {"fletcher/tsan.supp", &Installation::tsan_suppressions}})
    if (is_there(found.libraries / name)) found.*path = found.libraries / name;
  found.cxx_headers = found.libraries / "fletcher" / "cxx";
  found.gcc_support = found.libraries / "fletcher" / "gcc";
  return found;
}

std::optional<fs::path> find_plugin(const Installation& installation, int version) {
  const fs::path plugin = installation.libraries / "fletcher" / ("libfletcher_pass-" + std::to_string(version) + ".so");
  return is_there(plugin) ? std::optional(plugin) : std::nullopt;
}

std::vector<int> plugin_versions(const Installation& installation) {
  constexpr int oldest = 16, newest = 22; // lib/pass/CMakeLists.txt
  std::vector<int> versions;
  for (int version = oldest; version <= newest; ++version)
    if (find_plugin(installation, version)) versions.push_back(version);
  return versions;
}

std::optional<fs::path> find_libomp() {
  std::vector<fs::path> candidates{environment("FLETCHER_LIBOMP"), FLETCHER_LIBOMP_HINT};
  for (const fs::path& folder : llvm_folders()) candidates.push_back(folder / "lib/libomp.so");
  for (const char* name : {"libomp.so", "libomp.so.5"})
    for (const fs::path folder : default_library_folders) candidates.push_back(folder / name);
  for (const fs::path& candidate : candidates)
    if (!candidate.empty() && is_there(candidate)) return candidate;
  return std::nullopt;
}

bool on_default_library_path(const fs::path& library) {
  return std::any_of(default_library_folders.begin(), default_library_folders.end(),
                     [&](const char* folder) { return is_there(folder / library.filename()); });
}

std::optional<fs::path> find_program(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos) return is_there(name) ? std::optional<fs::path>(name) : std::nullopt;
  const std::string path = environment("PATH");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    fs::path candidate = fs::path(end == begin ? "." : path.substr(begin, end - begin)) / name;
    if (::access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return candidate;
    begin = end + 1;
  }
  return std::nullopt;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

} // namespace fletcher::tools
