// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the file of a program says about how it can be checked, before it runs. Relies on the system's <elf.h> and on
// the dynamic linker's own list of the libraries that it would load.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fletcher::cli {

struct ProgramFile {
  bool elf = false;          ///< else a script, or what only the system knows how to run
  bool same_machine = false; ///< a 64-bit program of this processor, into which our library can be loaded
  std::string interpreter;   ///< the dynamic linker; empty for a statically linked program
  bool loads_libomp = false; ///< the libraries that it loads at its start, directly or not
  bool loads_libgomp = false;
};

struct LoadedLibrary {
  std::string name; ///< as the program asks for it
  std::filesystem::path path;
};
/// The libraries that the dynamic linker would load for the file, in its order. It runs nothing of the program.
std::vector<LoadedLibrary> loaded_libraries(const std::string& interpreter, const std::filesystem::path& file);

/// An unreadable file is treated like a script: whether it runs, exec decides.
ProgramFile inspect(const std::filesystem::path& file);

/// The process gets more rights by the file than it has: then the dynamic linker loads no libraries of the user's.
bool gains_rights(const std::filesystem::path& file);

} // namespace fletcher::cli
