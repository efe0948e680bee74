// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary folders and the running of commands in them.

#include "test/support/workshop.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

namespace fletcher::test {

namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

Workshop::Workshop() {
  std::string pattern = (fs::temp_directory_path() / "fletcher-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder: " + pattern);
  folder_ = pattern;
}

Workshop::~Workshop() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Workshop::write(const std::string& name, const std::string& text) const {
  fs::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::string Workshop::read(const std::string& name) const { return contents(folder_ / name); }

bool Workshop::has(const std::string& name) const { return fs::exists(folder_ / name); }

Outcome Workshop::run(const std::string& line) const {
  const fs::path out = folder_ / ".out", err = folder_ / ".err", script = folder_ / ".script";
  std::ofstream(script)
      << "cd '" << folder_.string() << "' || exit 99\n"
      << "unset FLETCHER_CC FLETCHER_CXX FLETCHER_FC FLETCHER_OPTIONS FLETCHER_LIBOMP FLETCHER_BINARY\n"
      << "unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES TSAN_OPTIONS CFLAGS CXXFLAGS LDFLAGS LIBS CC CXX FC\n"
      << "export OMP_NUM_THREADS=2 LC_ALL=C PATH='" FLETCHER_BIN "':\"$PATH\"\n"
      << line << '\n';
  const std::string command =
      "bash '" + script.string() + "' >'" + out.string() + "' 2>'" + err.string() + "' </dev/null";
  const int status = std::system(command.c_str());
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.output = contents(out);
  outcome.errors = contents(err);
  return outcome;
}

std::vector<std::string> Workshop::libraries(const std::string& program) const {
  std::istringstream lines(run("readelf -d " + program).output);
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("(NEEDED)") == std::string::npos) continue;
    const auto begin = line.find('[') + 1;
    found.push_back(line.substr(begin, line.find(']') - begin));
  }
  return found;
}

bool in_order(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t at = 0;
  return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
    at = text.find(part, at);
    if (at == std::string::npos) return false;
    at += part.size();
    return true;
  });
}

const std::string correct_c = R"(#include <stdio.h>
int values[10];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 10; i++) values[i] = i;
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += values[i];
  printf("%d\n", sum);
  return 0;
}
)";

const std::string correct_cxx = R"(#include <iostream>
#include <numeric>
#include <vector>
int main() {
  std::vector<int> values(10);
#pragma omp parallel for
  for (int i = 0; i < 10; i++) values[i] = i;
  std::cout << std::accumulate(values.begin(), values.end(), 0) << std::endl;
}
)";

const std::string correct_fortran = R"(program correct
  implicit none
  integer :: values(10), i
  !$omp parallel do
  do i = 1, 10
    values(i) = i - 1
  end do
  print '(i0)', sum(values)
end program
)";

} // namespace fletcher::test
