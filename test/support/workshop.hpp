// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder to build and run small programs in: what the tests of whole commands are made with. Relies on a shell; the
// programs of the build tree come first in its PATH.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fletcher::test {

struct Outcome {
  int status = 0;     ///< exit status, or 128 and the signal
  std::string output; ///< standard output
  std::string errors; ///< standard error
};

class Workshop {
public:
  Workshop();
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  const std::filesystem::path& folder() const noexcept { return folder_; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const;

  /// Runs a line of shell in the folder, without what the environment says about Fletcher, OpenMP and compilers.
  Outcome run(const std::string& line) const;

  /// The libraries that a program names, in its order.
  std::vector<std::string> libraries(const std::string& program) const;

private:
  std::filesystem::path folder_;
};

/// True where `parts` stand in `text`, one after the other.
bool in_order(const std::string& text, const std::vector<std::string>& parts);

/// A correct program that says "45" with any number of threads.
extern const std::string correct_c;
extern const std::string correct_cxx;
extern const std::string correct_fortran;

} // namespace fletcher::test
