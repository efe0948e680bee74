// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher run` of programs as they come: with OpenMP in libraries that are loaded later, as scripts and launchers,
// with what cannot be checked among them. None ends or says something else because of the check.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fletcher::test {
namespace {

/// Says 3. With FINDING, two tasks that are no siblings name x in their depend clauses.
const std::string work_c = R"(#include <omp.h>
#include <stdio.h>
static omp_lock_t lock;
int work(void) {
  int x = 0, y = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    omp_set_lock(&lock);
    y = 1;
    omp_unset_lock(&lock);
#pragma omp single
    {
#pragma omp task shared(x)
      {
#ifdef FINDING
#pragma omp task depend(out : x) shared(x)
#endif
#pragma omp atomic
        x++;
#pragma omp taskwait
      }
#pragma omp task depend(in : x) shared(x)
#pragma omp atomic
      x++;
    }
  }
  omp_destroy_lock(&lock);
  return x + y;
}
)";
const std::string main_c = "int main(void) { printf(\"%d\\n\", work()); return 0; }\n";
const std::string opens_c = R"(#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void* library = dlopen("./libwork.so", RTLD_NOW | MODE);
  if (!library) return puts(dlerror());
  int (*work)(void) = (int (*)(void))dlsym(library, "work");
  printf("%d\n", work());
  return 0;
}
)";

class Launch : public testing::Test {
protected:
  void build(const std::string& command) const { ASSERT_EQ(workshop_.run(command).status, 0) << command; }
  void script(const std::string& name, const std::string& text) const {
    workshop_.write(name, "#!/bin/sh\n" + text + "\n");
    EXPECT_EQ(workshop_.run("chmod +x " + name).status, 0);
  }
  /// A program of gcc's with a finding, and one without.
  void build_programs() const {
    workshop_.write("a.c", work_c + main_c);
    build("gcc -g -fopenmp -DFINDING a.c -o racy && gcc -g -fopenmp a.c -o good");
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  }
  static std::size_t lines(const std::string& text) { return count(text, "\n"); }
  Workshop workshop_;
};

TEST_F(Launch, ALibraryThatIsLoadedLaterIsChecked) {
  workshop_.write("work.c", work_c);
  workshop_.write("opens.c", opens_c);
  for (const std::string mode : {"RTLD_LOCAL", "RTLD_GLOBAL"}) {
    build("gcc -DMODE=" + mode + " opens.c -o opens -ldl");
    build("gcc -g -fopenmp -shared -fPIC work.c -o libwork.so");
    for (const std::string how :
         {"fletcher run", "fletcher run --options enabled=0", "fletcher run sh -c 'exec $0' "}) {
      const Outcome outcome = workshop_.run("timeout 60 " + how + " ./opens");
      EXPECT_EQ(outcome.status, 0) << how << outcome.errors;
      EXPECT_EQ(outcome.output, "3\n");
      EXPECT_EQ(outcome.errors, "");
    }
    build("gcc -g -fopenmp -DFINDING -shared -fPIC work.c -o libwork.so");
    const Outcome racy = workshop_.run("timeout 60 fletcher run ./opens");
    EXPECT_EQ(racy.status, 66) << mode;
    EXPECT_EQ(racy.output, "3\n");
    EXPECT_NE(racy.errors.find("[non-sibling-dependence]"), std::string::npos) << racy.errors;
  }
}

TEST_F(Launch, ALibraryThatIsLoadedLaterRunsOnLibgompWhereNothingElseIs) {
  workshop_.write("work.c", work_c);
  workshop_.write("opens.c", opens_c);
  build("gcc -g -fopenmp -shared -fPIC work.c -o libwork.so");
  const std::string preload = "LD_PRELOAD=$(dirname $(command -v fletcher))/../lib/libfletcher.so ";
  for (const std::string mode : {"RTLD_LOCAL", "RTLD_GLOBAL"}) {
    build("gcc -DMODE=" + mode + " opens.c -o opens -ldl");
    for (const std::string options : {"", "FLETCHER_OPTIONS=enabled=0 "}) {
      const Outcome outcome = workshop_.run(options + preload + "timeout 60 ./opens");
      EXPECT_EQ(outcome.status, 0) << outcome.errors;
      EXPECT_EQ(outcome.output, "3\n");
    }
  }
  build("fletcher-cc -DMODE=RTLD_LOCAL opens.c -o opens -ldl");
  const Outcome linked = workshop_.run("timeout 60 ./opens");
  EXPECT_EQ(linked.status, 0) << linked.errors;
  EXPECT_EQ(linked.output, "3\n");
  EXPECT_EQ(lines(linked.errors), 1U) << linked.errors;
  EXPECT_NE(linked.errors.find("runs on libgomp, which has no OMPT"), std::string::npos) << linked.errors;
}

TEST_F(Launch, WhatAScriptStartsIsChecked) {
  build_programs();
  script("s.sh", "./good; ./racy; echo \"$1 $?\"; exit 3");
  const Outcome outcome = workshop_.run("timeout 60 fletcher run ./s.sh hi");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.output, "3\n3\nhi 66\n");
  EXPECT_EQ(count(outcome.errors, "[non-sibling-dependence]"), 1U) << outcome.errors;
  EXPECT_EQ(count(outcome.errors, "only processes that it started may have been checked"), 1U) << outcome.errors;
}

TEST_F(Launch, WhatLaunchersStartIsChecked) {
  build_programs();
  workshop_.write("Makefile", "all: one two\none two:\n\t-@./racy\n");
  const std::vector<std::pair<std::string, std::size_t>> launchers{
      {"sh -c './racy; true'", 1}, {"env A=b ./racy", 1},         {"nice ./racy", 1},
      {"timeout 60 ./racy", 1},    {"xargs -P 2 -n 1 ./racy", 2}, {"make -s", 2}};
  for (const auto& [launcher, times] : launchers) {
    if (workshop_.run("command -v " + launcher.substr(0, launcher.find(' '))).status != 0) continue;
    const Outcome outcome = workshop_.run("echo 1 2 | timeout 60 fletcher run " + launcher);
    EXPECT_EQ(count(outcome.output, "3\n"), times) << launcher << outcome.errors;
    EXPECT_EQ(count(outcome.errors, "error: non-sibling dependence"), times) << launcher << outcome.errors;
  }
}

TEST_F(Launch, EachProcessHasAReport) {
  build_programs();
  script("s.sh", "./racy & ./racy & ./good & wait");
  EXPECT_EQ(workshop_.run("timeout 60 fletcher run --sarif out.d.sarif --text text --options document=kept.json ./s.sh")
                .status,
            0);
  EXPECT_EQ(workshop_.run("ls out.d.sarif text kept.json | wc -l").output, "3\n");
  EXPECT_EQ(workshop_.run("ls out.d-*.sarif | wc -l").output, "3\n");
  EXPECT_EQ(workshop_.run("grep -l non-sibling text-* | wc -l").output, "2\n");
  const Outcome merged = workshop_.run("fletcher render --check kept*.json");
  EXPECT_EQ(merged.status, 1);
  EXPECT_EQ(count(merged.errors + merged.output, "[non-sibling-dependence]"), 1U) << merged.errors;
  EXPECT_EQ(workshop_.run("timeout 60 fletcher run --sarif one.sarif ./racy").status, 66);
  EXPECT_EQ(workshop_.run("ls one*").output, "one.sarif\n");
}

TEST_F(Launch, ConstructsAreLabelledByWhoCreatedThem) {
  workshop_.write("a.c", work_c + main_c);
  for (const std::string compiler : {"gcc", "clang-19"}) {
    build(compiler + " -g -fopenmp -DFINDING a.c -o racy");
    const Outcome outcome = workshop_.run("timeout 60 fletcher run ./racy");
    EXPECT_TRUE(in_order(outcome.errors, {"a.c:14:", "in work (parallel region)"}) ||
                in_order(outcome.errors, {"a.c:23:", "in work (parallel region)"}))
        << outcome.errors;
    EXPECT_NE(outcome.errors.find("in work (task)"), std::string::npos) << outcome.errors;
    EXPECT_FALSE(in_order(outcome.errors, {"a.c:23:9: note: the other task", "in work (task)"})) << outcome.errors;
  }
}

TEST_F(Launch, AStrippedProgramHasTheNamesAndLinesOfItsSeparateDebugFile) {
  workshop_.write("a.c", "#include <omp.h>\nstatic omp_lock_t lock;\nint main(void) { omp_init_lock(&lock);\n"
                         "#pragma omp parallel num_threads(2)\n{}\nomp_set_lock(&lock); return 0; }\n");
  build("gcc -g -fopenmp a.c -o a && objcopy --only-keep-debug a a.debug && strip a");
  const Outcome stripped = workshop_.run("timeout 60 fletcher run --sarif a.sarif ./a");
  EXPECT_NE(stripped.errors.find("lock at a+0x"), std::string::npos) << stripped.errors;
  EXPECT_EQ(stripped.errors.find(":0:"), std::string::npos) << stripped.errors;
  EXPECT_EQ(workshop_.read("a.sarif").find("startLine"), std::string::npos);

  const std::string id = workshop_.run("readelf -n a | awk '/Build ID/ { printf \"%s\", $3 }'").output;
  ASSERT_GT(id.size(), 2U);
  workshop_.write("serve.py", "import http.server, functools, os\n"
                              "handler = http.server.SimpleHTTPRequestHandler\n"
                              "server = http.server.HTTPServer(('127.0.0.1', 0), handler)\n"
                              "open('port.new', 'w').write(str(server.server_port))\n"
                              "os.rename('port.new', 'port')\n"
                              "server.serve_forever()\n");
  build("mkdir -p buildid/" + id + " && cp a.debug buildid/" + id + "/debuginfo");
  const Outcome served = workshop_.run(
      "python3 serve.py 2>/dev/null & server=$!\nfor i in $(seq 100); do test -e port && break; sleep 0.1; done\n"
      "DEBUGINFOD_CACHE_PATH=$PWD/cache DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) timeout 60 fletcher run ./a\n"
      "kill $server");
  if (workshop_.run("ldd $(ls /usr/lib/llvm-*/bin/llvm-symbolizer | tail -n 1)").output.find("libcurl") ==
      std::string::npos)
    GTEST_SKIP() << "a symbolizer that asks no servers";
  EXPECT_NE(served.errors.find("a.c:6:"), std::string::npos) << served.errors;

  const std::string folder = "/usr/lib/debug/.build-id/" + id.substr(0, 2),
                    file = folder + "/" + id.substr(2) + ".debug";
  if (workshop_.run("mkdir -p " + folder + " && cp a.debug " + file).status != 0) GTEST_SKIP() << "not as root";
  const Outcome separate = workshop_.run("timeout 60 fletcher run ./a");
  EXPECT_EQ(workshop_.run("rm " + file + "; rmdir " + folder + " 2>/dev/null; true").status, 0);
  EXPECT_NE(separate.errors.find("a.c:6:"), std::string::npos) << separate.errors;
  EXPECT_NE(separate.errors.find("lock 'lock'"), std::string::npos) << separate.errors;
}

// Where gcc's runtime would wait in the child for ever, and where it would not.
TEST_F(Launch, ARegionInAForkedChildIsToldWhereLibgompHangs) {
  workshop_.write("a.c", "#include <omp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                         "#include <sys/wait.h>\n#include <unistd.h>\n"
                         "static int region(int threads) {\nint sum = 0;\n"
                         "#pragma omp parallel num_threads(threads) reduction(+ : sum)\nsum++;\nreturn sum;\n}\n"
                         "int main(int count, char** how) {\n"
                         "const int first = atoi(how[1]), second = atoi(how[2]);\n"
                         "if (first > 0) region(first);\n"
                         "if (!strcmp(how[3], \"pause\")) omp_pause_resource_all(omp_pause_soft);\n"
                         "const pid_t child = fork();\n"
                         "if (child == 0) { printf(\"%d\\n\", region(second)); exit(0); }\n"
                         "waitpid(child, NULL, 0); return 0; }\n");
  build("gcc -g -fopenmp a.c -o gccs && clang-19 -g -fopenmp a.c -o clangs");
  for (const std::string how :
       {"gccs 2 2 -", "gccs 0 2 -", "gccs 1 2 -", "gccs 2 1 -", "gccs 2 2 pause", "clangs 2 2 -"}) {
    const Outcome outcome = workshop_.run("timeout 60 fletcher run ./" + how);
    EXPECT_EQ(outcome.status, 0) << how << outcome.errors;
    EXPECT_EQ(outcome.output, how == "gccs 2 1 -" ? "1\n" : "2\n") << how;
    const bool hangs = how == "gccs 2 2 -";
    EXPECT_EQ(count(outcome.errors, "warning: fork after a region"), hangs ? 1U : 0U) << how << outcome.errors;
    if (hangs)
      EXPECT_TRUE(in_order(outcome.errors, {"a.c:9:", "the region before the fork is here"})) << outcome.errors;
  }
}

// libgomp keeps them in the program's memory, which a child has. LLVM's runtime would end the child.
TEST_F(Launch, LocksOfGccsProgramsOutliveAFork) {
  workshop_.write("a.c", "#include <omp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n"
                         "#include <unistd.h>\nint main(void) {\nomp_lock_t one, two;\nomp_nest_lock_t nest;\n"
                         "omp_init_lock(&one);\nomp_init_lock(&two);\nomp_destroy_lock(&two);\n"
                         "int status = 0;\nif (fork() == 0) {\nint sum = 0;\n"
                         "omp_init_lock(&two);\nomp_init_nest_lock(&nest);\n"
                         "#pragma omp parallel num_threads(2)\n{\nomp_set_lock(&one);\nsum++;\n"
                         "omp_unset_lock(&one);\nomp_set_lock(&two);\nomp_set_nest_lock(&nest);\n"
                         "omp_unset_nest_lock(&nest);\nomp_unset_lock(&two);\n}\n"
                         "omp_destroy_lock(&one);\nomp_destroy_lock(&two);\nomp_destroy_nest_lock(&nest);\n"
                         "exit(sum);\n}\nwait(&status);\nprintf(\"%d\\n\", WEXITSTATUS(status)); return 0; }\n");
  build("gcc -g -fopenmp a.c -o a");
  const Outcome outcome = workshop_.run("timeout 60 fletcher run ./a");
  EXPECT_EQ(outcome.output, "2\n") << outcome.errors;
  EXPECT_EQ(outcome.errors.find("error"), std::string::npos) << outcome.errors;
}

TEST_F(Launch, OnlyProgramsThatComeWithoutLlvmsRuntimeGetLocksOfTheirOwn) {
  workshop_.write("a.c", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\nint sum = 0;\n"
                         "#pragma omp parallel num_threads(2) reduction(+ : sum)\nsum++;\n"
                         "const char* kind = getenv(\"KMP_LOCK_KIND\");\n"
                         "printf(\"%d %s\\n\", sum, kind ? kind : \"none\"); return 0; }\n");
  build("gcc -fopenmp a.c -o gccs && clang-19 -fopenmp a.c -o clangs");
  script("both.sh", "./gccs; ./clangs");
  EXPECT_EQ(workshop_.run("timeout 60 fletcher run ./both.sh").output, "2 futex\n2 none\n");
  EXPECT_EQ(workshop_.run("KMP_LOCK_KIND=tas timeout 60 fletcher run ./both.sh").output, "2 tas\n2 tas\n");
}

TEST_F(Launch, AProgramOfGccsGoesOnAfterItUsedALockThatWasDestroyedAsOnLibgomp) {
  workshop_.write("a.c", "#include <omp.h>\n#include <stdio.h>\nint main(void) { omp_lock_t lock; int sum = 0;\n"
                         "omp_init_lock(&lock);\nomp_destroy_lock(&lock);\n"
                         "#pragma omp parallel num_threads(2)\n"
                         "{ omp_set_lock(&lock); sum++; omp_unset_lock(&lock); }\n"
                         "printf(\"%d\\n\", sum); return 0; }\n");
  build("gcc -fopenmp -g a.c -o a");
  const Outcome outcome = workshop_.run("timeout 60 fletcher run ./a");
  EXPECT_EQ(outcome.status, 66) << outcome.errors;
  EXPECT_EQ(outcome.output, "2\n");
  EXPECT_NE(outcome.errors.find("a.c:7:3: error: lock misuse: "), std::string::npos) << outcome.errors;
}

TEST_F(Launch, WhatCannotBeCheckedRunsAsItIs) {
  workshop_.write("a.c", work_c + main_c);
  workshop_.write("t.c", "#include <stdio.h>\nint main(void) { int x = 2;\n"
                         "#pragma omp target map(tofrom : x)\nx++;\nprintf(\"%d\\n\", x); return 0; }\n");
  workshop_.write("u.c", "#include <omp.h>\n#include <stdio.h>\nint main(void) { int x = 2;\n"
                         "#pragma omp target parallel num_threads(2) map(tofrom : x)\n"
                         "if (omp_get_thread_num() == 1) x = 3;\nprintf(\"%d\\n\", x); return 0; }\n");
  build("gcc -fopenmp t.c -o p && cp p target");
  const std::pair<std::string, std::string> builds[]{
      {"gcc -fopenmp t.c -o p", "p has target constructs for libgomp"},
      {"gcc -fopenmp -fsanitize=thread u.c -o p", "p has target constructs for libgomp"}, // and nothing of the join
      {"gcc -fopenmp -fsanitize=address a.c -o p", "p was built with AddressSanitizer"},
      {"clang-19 -fopenmp -fsanitize=address a.c -o p", "p was built with AddressSanitizer"}};
  script("s.sh", "./p; exit $?");
  for (const auto& [command, line] : builds) {
    if (workshop_.run(command).status != 0) continue;
    const Outcome outcome = workshop_.run("timeout 60 fletcher run ./p");
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_EQ(outcome.output, "3\n") << command;
    EXPECT_TRUE(outcome.errors.starts_with("fletcher: " + line)) << command << outcome.errors.substr(0, 1000);
    EXPECT_EQ(lines(outcome.errors), 1U) << command << outcome.errors.substr(0, 1000);
    const Outcome in_script = workshop_.run("timeout 60 fletcher run ./s.sh");
    EXPECT_EQ(in_script.status, 0) << command;
    EXPECT_EQ(in_script.output, "3\n") << command;
    EXPECT_TRUE(in_script.errors.starts_with("fletcher: " + line)) << command << in_script.errors.substr(0, 1000);
  }
}

TEST_F(Launch, AProgramWithMoreRightsThanItsUserIsSaidToBeUnchecked) {
  build_programs();
  if (workshop_.run("chown nobody racy && chmod u+s racy").status != 0) GTEST_SKIP() << "not as root";
  const Outcome outcome = workshop_.run("timeout 60 fletcher run ./racy");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "3\n");
  EXPECT_TRUE(outcome.errors.starts_with("fletcher: racy gets rights that its user does not have")) << outcome.errors;
  EXPECT_EQ(lines(outcome.errors), 1U) << outcome.errors;
}

TEST_F(Launch, AProgramThatRunsNoRegionIsSaidToHaveRunNone) {
  workshop_.write("a.c", "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n");
  for (const std::string compiler : {"gcc", "clang-19"}) {
    build(compiler + " -fopenmp a.c -o a");
    const Outcome outcome = workshop_.run("timeout 60 fletcher run --sarif a.sarif --options verbose=1 ./a");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.errors.find("no parallel region was run in "), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.errors.find("0 tasks in 0 regions"), std::string::npos) << outcome.errors;
    EXPECT_TRUE(workshop_.has("a.sarif"));
  }
}

TEST_F(Launch, AProgramWhoseChildrenRanRegionsIsNotSaidToHaveNothingToCheck) {
  workshop_.write("a.c", "#include <omp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n"
                         "#include <unistd.h>\n"
                         "int main(void) {\nint sum = omp_get_max_threads() < 1;\nif (fork() == 0) {\n"
                         "#pragma omp parallel num_threads(2) reduction(+ : sum)\nsum++;\n"
                         "printf(\"%d\\n\", sum); exit(0); }\nwait(NULL); return 0; }\n");
  for (const std::string compiler : {"gcc", "clang-19"}) {
    build(compiler + " -fopenmp a.c -o a");
    const Outcome outcome = workshop_.run("timeout 60 fletcher run ./a");
    EXPECT_EQ(outcome.output, "2\n") << outcome.errors;
    EXPECT_EQ(outcome.errors.find("nothing to check"), std::string::npos) << outcome.errors;
    EXPECT_EQ(count(outcome.errors, "only processes that it started may have been checked"), 1U) << outcome.errors;
  }
}

TEST_F(Launch, ALimitOnAddressSpaceIsOneLine) {
  build_programs();
  for (const std::string kilobytes : {"1000000", "120000"}) { // the tables that do fit would leave no room for threads
    const Outcome outcome =
        workshop_.run("ulimit -v " + kilobytes + "; OMP_NUM_THREADS=2 timeout 60 fletcher run ./racy");
    EXPECT_EQ(outcome.output, "3\n") << outcome.errors;
    EXPECT_NE(outcome.errors.find("nothing is checked"), std::string::npos) << outcome.errors;
    EXPECT_EQ(lines(outcome.errors), 1U) << outcome.errors;
  }
}

TEST_F(Launch, WithoutProcAProgramIsCheckedToo) {
  build_programs();
  if (workshop_.run("unshare -m umount -l /proc").status != 0) GTEST_SKIP() << "no namespace of mounts can be had";
  const Outcome outcome =
      workshop_.run("unshare -m sh -c 'umount -l /proc; exec timeout 60 fletcher run --options verbose=1 -- ./racy'");
  EXPECT_EQ(outcome.output, "3\n") << outcome.errors;
  EXPECT_NE(outcome.errors.find("fletcher: checked "), std::string::npos) << outcome.errors;
}

// The tables have reserved far more than the program allows itself.
TEST_F(Launch, AProgramThatLimitsItsOwnAddressSpaceIsCheckedAndHasItsMemory) {
  workshop_.write("a.c", work_c + "#include <stdlib.h>\n#include <sys/resource.h>\nint main(int count, char** how) {\n"
                                  "struct rlimit limit = {1ul << 30, 1ul << 30};\nif (count > 1) work();\n"
                                  "if (setrlimit(RLIMIT_AS, &limit) != 0) return 1;\n"
                                  "limit.rlim_cur = 0;\ngetrlimit(RLIMIT_AS, &limit);\n"
                                  "char *fits = malloc(300ul << 20), *does_not = malloc(6ul << 30);\n"
                                  "printf(\"%lu %d %d\\n\", (unsigned long)limit.rlim_cur, fits != 0, does_not != 0);\n"
                                  "work(); return 0; }\n");
  for (const std::string compiler : {"gcc", "clang-19", "fletcher-cc"}) {
    build(compiler + " -g -fopenmp -DFINDING a.c -o a");
    for (const std::string when : {"", "after"}) {
      const Outcome outcome = workshop_.run("timeout 60 fletcher run ./a " + when);
      EXPECT_EQ(outcome.status, 66) << compiler << when << outcome.errors;
      EXPECT_EQ(outcome.output, "1073741824 1 0\n");
      EXPECT_EQ(count(outcome.errors, "error: non-sibling dependence"), 1U) << outcome.errors;
    }
  }
}

TEST_F(Launch, AProgramThatClosesStandardErrorStillReports) {
  workshop_.write("a.c", work_c + "#include <unistd.h>\n#include <fcntl.h>\nint main(void) { work(); close(2);\n"
                                  "open(\"taken\", O_CREAT | O_WRONLY, 0666); return 0; }\n");
  for (const std::string compiler : {"fletcher-cc", "gcc"}) {
    build(compiler + " -g -fopenmp -DFINDING a.c -o a");
    const Outcome outcome = workshop_.run("timeout 60 fletcher run ./a");
    EXPECT_EQ(outcome.status, 66);
    EXPECT_EQ(count(outcome.errors, "error: non-sibling dependence"), 1U) << outcome.errors;
    EXPECT_EQ(workshop_.read("taken"), "");
  }
}

TEST_F(Launch, ADaemonKeepsNobodyWaiting) {
  workshop_.write("a.c", work_c + "#include <unistd.h>\nint main(void) { work(); if (fork() != 0) return 0;\n"
                                  "setsid(); close(0); close(1); close(2); sleep(90); return 0; }\n");
  build("gcc -g -fopenmp -DFINDING a.c -o a");
  const Outcome outcome = workshop_.run("timeout 60 sh -c 'fletcher run ./a 2>&1 | grep -c error:'");
  EXPECT_EQ(outcome.status, 0) << "something waits for the daemon's end";
  EXPECT_EQ(outcome.output, "1\n");
}

TEST_F(Launch, WhatALauncherStartsUncheckedIsToldOnce) {
  workshop_.write("a.c", work_c + main_c);
  workshop_.write("b.c", "int main(void) { return 0; }\n");
  build("gcc -fopenmp a.c -o good && gcc -static b.c -o serial");
  const std::string no_library = ": no library can be loaded into it, so it is not checked\n",
                    without = "fletcher: good is started without the variable LD_PRELOAD that 'fletcher run' has set, "
                              "so it is not checked\n";
  const auto errors = [&](const std::string& command) {
    const Outcome outcome = workshop_.run("timeout 60 fletcher run " + command);
    EXPECT_EQ(outcome.status, 0) << command << outcome.errors;
    return outcome.errors;
  };
  if (workshop_.run("gcc -static -fopenmp a.c -o static").status == 0) {
    const std::string line = "fletcher: static is statically linked" + no_library;
    EXPECT_EQ(errors("env ./static"), line);
    EXPECT_EQ(count(errors("sh -c './static; ./static; echo ./static | xargs env'"), line), 2U); // by sh and by env
    EXPECT_EQ(count(errors("sh -c 'x=$(./static 2>&1) && test $x = 3'"), line), 0U);             // the script reads it
    EXPECT_EQ(count(errors("--options enabled=0 sh -c ./static"), line), 0U);
  }
  EXPECT_EQ(errors("env -u LD_PRELOAD ./good"), without);
  EXPECT_EQ(count(errors("sh -c 'unset LD_PRELOAD; ./good; exec ./good'"), without), 1U);
  EXPECT_EQ(count(errors("env ./good"), without), 0U);
  workshop_.write("Makefile", "export LD_PRELOAD =\nall:\n\t./good\n");
  EXPECT_EQ(count(errors("make -s"), without), 1U); // by posix_spawn
  EXPECT_EQ(errors("env ./serial"), "");            // there is nothing to check
  EXPECT_EQ(errors("env -i ./serial"), "");
}

#if defined(__x86_64__)
// Libc's first version of posix_spawn gives a file that the kernel does not know to the shell, the later one does not.
TEST_F(Launch, EachCallerGetsItsVersionOfPosixSpawn) {
  workshop_.write("file", "exit 3\n");
  workshop_.write("a.c", R"(#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
extern char** environ;
#ifdef FIRST
__asm__(".symver posix_spawn, posix_spawn@GLIBC_2.2.5");
#endif
int main(void) {
  char name[] = "./file", *words[] = {name, 0};
  pid_t child;
  int status = 0, error = posix_spawn(&child, name, 0, 0, words, environ);
  if (error == 0) waitpid(child, &status, 0);
  printf("%d %d\n", error == 0, WEXITSTATUS(status));
  return 0;
})");
  build("chmod +x file && gcc a.c -o later && gcc -DFIRST a.c -o first && gcc -fsanitize=thread a.c -o sanitized");
  EXPECT_EQ(workshop_.run("./first && ./later").output, "1 3\n0 0\n"); // as it is without the library
  EXPECT_EQ(workshop_.run("timeout 60 fletcher run ./first").output, "1 3\n");
  EXPECT_EQ(workshop_.run("timeout 60 fletcher run ./later").output, "0 0\n");
  EXPECT_EQ(workshop_.run("timeout 60 fletcher run ./sanitized").output, "0 0\n");
}
#endif

} // namespace
} // namespace fletcher::test
