// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each program under test/mpi/programs is run on two ranks by each MPI library that is installed, and what each rank's
// report says is compared with the program's comments, which are as those of test/programs.
#include "build.hpp"
#include "diagnostics.hpp"
#include "expectation.hpp"
#include "process.hpp"
#include "verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace fletcher::programs {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds time_limit{60};

struct Library {
  std::string name, compiler, fortran, starter;
  std::vector<std::string> building, building_plain, starting; ///< environment
  std::vector<std::string> options;                            ///< of the starter
};

std::vector<Library> libraries() {
  const std::string c = (binaries() / "fletcher-cc").string(), fortran = (binaries() / "fletcher-fc").string();
  return {{"openmpi",
           FLETCHER_TEST_MPICC_OPENMPI,
           FLETCHER_TEST_MPIFORT_OPENMPI,
           FLETCHER_TEST_MPIRUN_OPENMPI,
           {"OMPI_CC=" + c, "OMPI_FC=" + fortran},
           {"OMPI_CC=clang-19"},
           // In a container a process may not read another one's memory.
           {"OMPI_MCA_btl_vader_single_copy_mechanism=none", "OMPI_MCA_btl=self,vader"},
           {"--allow-run-as-root", "--oversubscribe"}},
          {"mpich",
           FLETCHER_TEST_MPICC_MPICH,
           FLETCHER_TEST_MPIFORT_MPICH,
           FLETCHER_TEST_MPIRUN_MPICH,
           {"MPICH_CC=" + c, "MPICH_FC=" + fortran},
           {"MPICH_CC=clang-19"},
           {},
           {}}};
}

struct Case {
  fs::path file;
  Library library;
  Level level = Level::native;

  std::string name() const {
    std::string out = file.stem().string() + "_" + library.name + (level == Level::graph ? "_graph" : "");
    std::ranges::replace_if(out, [](unsigned char c) { return !std::isalnum(c); }, '_');
    return out;
  }
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name(); }

/// Partitioned messages are of MPI 4, and of modules mpi_f08 only Open MPI's is followed.
bool has(const Library& library, const std::string& program) {
  if (program.starts_with("partitioned")) return library.name == "mpich";
  return !program.starts_with("f08") || library.name == "openmpi";
}

/// What they do wrong is seen without their accesses.
bool is_for_graph(const std::string& program) {
  return program.starts_with("serialized") || program.starts_with("funneled") || program.starts_with("unfinished");
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& entry : fs::directory_iterator(FLETCHER_MPI_PROGRAMS))
    for (const auto& library : libraries()) {
      const std::string program = entry.path().stem().string();
      if (has(library, program)) cases.push_back({entry.path(), library});
      if (is_for_graph(program)) cases.push_back({entry.path(), library, Level::graph});
    }
  std::ranges::sort(cases, {}, &Case::name);
  return cases;
}

void PrintTo(const Library& one, std::ostream* out) { *out << one.name; }

/// A folder of its own, and two ranks.
template <class Parameter> class OnTwoRanks : public testing::TestWithParam<Parameter> {
protected:
  /// False: the library is not there.
  bool begin(const Library& library, const std::string& compiler) {
    if (compiler.empty() || library.starter.empty()) return false;
    folder_ = fs::temp_directory_path() / ("fletcher-mpi." + std::to_string(getpid()));
    fs::create_directories(folder_);
    return true;
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  static Command started(const Library& library, const fs::path& executable, Level level = Level::native) {
    Command command{{library.starter}, library.starting};
    const auto add = [&](const std::vector<std::string>& words) {
      command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    };
    add(library.options);
    add({"-n", "2"});
    if (level == Level::graph) add({(binaries() / "fletcher").string(), "run", "--"});
    add({executable.string()});
    return command;
  }

  fs::path folder_;
};

class Mpi : public OnTwoRanks<Case> {
protected:
  void SetUp() override {
    const Library& library = GetParam().library;
    if (!begin(library, compiler())) GTEST_SKIP() << library.name << " is not installed";
  }

  bool is_fortran() const { return GetParam().file.extension() == ".f90"; }
  const std::string& compiler() const {
    return is_fortran() ? GetParam().library.fortran : GetParam().library.compiler;
  }
  fs::path executable() const { return folder_ / GetParam().file.stem(); }

  Command build_command() const {
    const auto& [file, library, level] = GetParam();
    const bool plain = level == Level::graph; // and no call is the function's last jump, which is nowhere
    Command command{{compiler(), "-g", plain ? "-O0" : "-O1", "-fopenmp", file.string(), "-o", executable().string()},
                    plain ? library.building_plain : library.building};
    command.environment.push_back("FLETCHER_CC=clang-19");
    return command;
  }
  Command run_command(unsigned threads) const {
    Command command = started(GetParam().library, executable(), GetParam().level);
    command.environment.push_back("OMP_NUM_THREADS=" + std::to_string(threads));
    command.environment.push_back("FLETCHER_OPTIONS=group=0 text=" + (folder_ / "report-%p.txt").string());
    return command;
  }

  /// What the ranks reported, each by itself.
  std::vector<std::string> reports() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (!entry.path().filename().string().starts_with("report-")) continue;
      std::ifstream in(entry.path());
      out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return out;
  }
};

TEST_P(Mpi, EachRankIsJudgedAsTheCommentsSay) {
  const Expectation program = read_expectation(GetParam().file);
  ASSERT_EQ(program.mistakes, std::vector<std::string>{});
  const Outcome built = run(build_command(), folder_, time_limit);
  ASSERT_EQ(built.status, 0) << build_command().text() << "\n" << built.output << built.errors;
  for (const unsigned threads : program.threads) {
    const Command command = run_command(threads);
    const Outcome outcome = run(command, folder_, time_limit);
    const std::string told = command.text() + "\n" + outcome.output + outcome.errors;
    ASSERT_FALSE(outcome.timed_out) << told;
    EXPECT_EQ(outcome.status == 0, program.silent) << told;
    const std::vector<std::string> ranks = reports();
    EXPECT_EQ(ranks.size(), 2u) << told;
    for (const std::string& rank : ranks) {
      EXPECT_EQ(differences(program, read_diagnostics(rank), GetParam().level), std::vector<std::string>{})
          << told << rank;
      if (program.silent) continue;
      EXPECT_NE(rank.find(" of MPI_COMM_WORLD"), std::string::npos) << rank;
      EXPECT_EQ(rank.find(" ? "), std::string::npos) << "somebody has no name:\n" << rank;
      for (const std::string begins : {"MPI_Irecv", "mpi_irecv"}) {
        const bool pending = rank.find("in a pending " + begins) != std::string::npos;
        const std::string until = begins + " may write it until " + begins.substr(0, 4),
                          for_ever = begins + " may write it forever: no call has completed it";
        EXPECT_TRUE(!pending || rank.find(until) != std::string::npos || rank.find(for_ever) != std::string::npos)
            << rank;
      }
    }
  }
}

/// All that the program calls of MPI the library has, too.
class MpiLinked : public OnTwoRanks<Library> {
protected:
  void SetUp() override {
    if (!begin(GetParam(), GetParam().compiler)) GTEST_SKIP() << GetParam().name << " is not installed";
  }
};

TEST_P(MpiLinked, MpiIsKeptWhereTheLinkerLeavesOutWhatIsNotReferredTo) {
  const Library& library = GetParam();
  const std::string source = (folder_ / "a.c").string(), object = (folder_ / "a.o").string(),
                    program = (folder_ / "a").string();
  std::ofstream(source) << "#include <mpi.h>\nint main(int count, char** arguments) {\n  int number = 1;\n"
                           "  MPI_Init(&count, &arguments);\n"
                           "  MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);\n  MPI_Finalize();\n}\n";
  const std::vector<std::vector<std::string>> steps = {
      {library.compiler, "-g", "-O1", "-fopenmp", "-c", source, "-o", object},
      {library.compiler, "-fopenmp", object, "-o", program}};
  for (const std::vector<std::string>& step : steps) {
    Command command{step, library.building};
    command.environment.push_back("FLETCHER_CC=gcc");
    const Outcome built = run(command, folder_, time_limit);
    ASSERT_EQ(built.status, 0) << command.text() << "\n" << built.output << built.errors;
  }
  const Outcome outcome = run(started(library, program), folder_, time_limit);
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(Libraries, MpiLinked, testing::ValuesIn(libraries()),
                         [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(Programs, Mpi, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name(); });

} // namespace
} // namespace fletcher::programs
