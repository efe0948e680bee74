// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the parts of Fletcher and the OpenMP runtime are on this machine. Works from a build tree and from an install
// prefix, because both look alike and everything is found from the running program's own place.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::tools {

struct Installation {
  std::filesystem::path binaries;          ///< the folder of the running program
  std::filesystem::path libraries;         ///< the folder that libfletcher.so is or would be in
  std::filesystem::path library;           ///< libfletcher.so; empty where it is missing
  std::filesystem::path frame_variables;   ///< names stack variables; empty where it is missing
  std::filesystem::path symbolizer;        ///< names code and data; the same
  std::filesystem::path cxx_headers;       ///< what C++ is to find in front of the library's headers
  std::filesystem::path gcc_support;       ///< what GCC is to find in place of libtsan and libgomp
  std::filesystem::path tsan_suppressions; ///< what ThreadSanitizer is to pass by; empty where it is missing
};

/// The installation that the running program belongs to.
Installation find_installation();

/// What a clang of this major version loads; nothing where Fletcher was built without the headers of that LLVM.
std::optional<std::filesystem::path> find_plugin(const Installation& installation, int version);

/// The versions of clang that there is a plugin for.
std::vector<int> plugin_versions(const Installation& installation);

/// LLVM's OpenMP runtime: the file to link or to preload. FLETCHER_LIBOMP in the environment decides, if it is set.
std::optional<std::filesystem::path> find_libomp();

/// True where the dynamic linker finds `library` without a search path in the program.
bool on_default_library_path(const std::filesystem::path& library);

/// The program that `name` means, looked up in PATH as execvp does; nothing where there is none.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// The value of an environment variable; empty where it is not set.
std::string environment(const char* name);

} // namespace fletcher::tools
