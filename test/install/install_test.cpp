// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Installs into a folder of its own and uses what lies there: as a user of the drivers, and as a project that is built
// on the libraries.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

const std::string consumer = R"(cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(Fletcher 0.1 REQUIRED)
add_executable(consumer consumer.cpp)
target_link_libraries(consumer PRIVATE Fletcher::checker Fletcher::reports)
add_library(user SHARED user.cpp)
target_link_libraries(user PRIVATE Fletcher::fletcher)
file(WRITE ${CMAKE_BINARY_DIR}/drivers.txt "${Fletcher_CC}")
)";

const std::string consumer_source = R"(#include "checker/checker.hpp"
#include "reports/render.hpp"
int main() {
  fletcher::reports::RenderOptions options;
  options.documents = {"missing.json"};
  return fletcher::reports::render(options) == fletcher::reports::render_failed ? 0 : 1;
}
)";

class Install : public testing::Test {
protected:
  void SetUp() override {
    const Outcome outcome = workshop_.run("'" CMAKE_PROGRAM "' --install '" BUILD_TREE "' --prefix \"$PWD/prefix\"");
    ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  }
  Workshop workshop_;
};

TEST_F(Install, HasEverythingInItsPlace) {
  for (const char* file : {"bin/fletcher", "bin/fletcher-cc", "bin/fletcher-c++", "bin/fletcher-fc"})
    EXPECT_EQ(workshop_.run(std::string("test -x prefix/") + file).status, 0) << file;
  for (const char* file : {"libfletcher.so", "libfletcher.a", "FletcherConfig.cmake", "libgomp.spec", "LICENSE",
                           "CHANGELOG.md", "fletcher.1", "fletcher-fc.1", "_fletcher"})
    EXPECT_NE(workshop_.run(std::string("find prefix -name ") + file).output, "") << file;
}

TEST_F(Install, TheDriversUseTheInstalledLibrary) {
  workshop_.write("a.c", correct_c);
  ASSERT_EQ(workshop_.run("mv prefix moved && moved/bin/fletcher-cc -fopenmp a.c -o a").status, 0);
  EXPECT_EQ(workshop_.run("./a").output, "45\n");
  const std::string loaded = workshop_.run("ldd a | grep libfletcher").output;
  EXPECT_TRUE(in_order(loaded, {"libfletcher.so => " + workshop_.folder().string() + "/moved/"})) << loaded;
  const std::string preloaded = workshop_.run("moved/bin/fletcher run -- env | grep LD_PRELOAD").output;
  EXPECT_TRUE(in_order(preloaded, {workshop_.folder().string() + "/moved/", "/libfletcher.so"})) << preloaded;
}

TEST_F(Install, AProjectFindsThePackage) {
  workshop_.write("CMakeLists.txt", consumer);
  workshop_.write("consumer.cpp", consumer_source);
  workshop_.write("user.cpp", "int user() { return 0; }\n");
  const Outcome built =
      workshop_.run("'" CMAKE_PROGRAM "' -G Ninja -S . -B build -DCMAKE_PREFIX_PATH=\"$PWD/prefix\" && '" CMAKE_PROGRAM
                    "' --build build && build/consumer");
  EXPECT_EQ(built.status, 0) << built.output << built.errors;
  const std::string driver = workshop_.read("build/drivers.txt");
  EXPECT_TRUE(driver.ends_with("/prefix/bin/fletcher-cc")) << driver;
}

TEST_F(Install, PkgConfigKnowsTheHeadersAndTheLibrary) {
  if (workshop_.run("command -v pkg-config").status != 0) GTEST_SKIP() << "pkg-config is not installed";
  const std::string query = "PKG_CONFIG_PATH=$(dirname $(find $PWD/prefix -name fletcher.pc)) pkg-config fletcher ";
  EXPECT_EQ(workshop_.run("test -e $(" + query + "--variable=library)").status, 0);
  workshop_.write("a.c", "#include <fletcher/fletcher.h>\nint main(void) { return FLETCHER_IS_CHECKING(); }\n");
  const Outcome built = workshop_.run("cc $(" + query + "--cflags) a.c -o a && ./a");
  EXPECT_EQ(built.status, 0) << built.errors;
}

TEST_F(Install, TheManualHasAllOptions) {
  const std::string listed = workshop_.run("prefix/bin/fletcher options | grep -c '^  [a-z]'").output;
  EXPECT_EQ(workshop_.run("grep -c '^.TP' prefix/share/man/man7/fletcher-options.7").output, listed);
  EXPECT_EQ(workshop_.run("grep '^.fBlevel' prefix/share/man/man7/fletcher-options.7").output,
            "\\fBlevel\\fR=\\fIauto|graph|native|tsan\\fR\n");
}

} // namespace
} // namespace fletcher::test
