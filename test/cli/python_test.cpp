// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python under `fletcher run`: extension modules that gcc built with OpenMP, and what docs/python.md promises. What a
// test needs beyond the packages of the build is looked for, and the test is skipped where it is missing.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fletcher::test {
namespace {

/// total(n) is the sum of the numbers below n, and the size of the team. With FINDING, a task outlives the function.
const std::string extension_c = R"(#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <omp.h>
static PyObject* total(PyObject* self, PyObject* arguments) {
  long n, sum = 0;
  int threads = 0;
  if (!PyArg_ParseTuple(arguments, "l", &n)) return NULL;
  Py_BEGIN_ALLOW_THREADS
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for reduction(+ : sum)
    for (long i = 0; i < n; i++) sum += i;
#ifdef FINDING
#pragma omp single
    {
#pragma omp task depend(out : n) shared(n)
      {
#pragma omp task depend(out : sum)
        ;
      }
#pragma omp task depend(in : sum)
      ;
    }
#endif
  }
  Py_END_ALLOW_THREADS
  return Py_BuildValue("li", sum, threads);
}
static PyMethodDef methods[] = {{"total", total, METH_VARARGS, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "summing", "", -1, methods};
PyMODINIT_FUNC PyInit_summing(void) { return PyModule_Create(&module); }
)";

/// What is left in the forked child must not hang: with libgomp it does.
const std::string processes_py = R"(import multiprocessing, sys, threading, summing
def work(n): return summing.total(n)
if __name__ == "__main__":
  print(summing.total(1000))
  with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
    print(pool.map(work, range(4)))
  results = []
  threads = [threading.Thread(target=lambda n=n: results.append(work(n))) for n in range(4)]
  for thread in threads: thread.start()
  for thread in threads: thread.join()
  print(sorted(results))
)";
const std::string processes_say = "(499500, 3)\n[(0, 3), (0, 3), (1, 3), (3, 3)]\n[(0, 3), (0, 3), (1, 3), (3, 3)]\n";

class Python : public testing::Test {
protected:
  /// Debian's own: one that was built by hand may come with other headers.
  static constexpr const char* python = "/usr/bin/python3 ";
  void SetUp() override {
    if (workshop_.run("test -x /usr/bin/python3 && test -x /usr/bin/python3-config").status != 0)
      GTEST_SKIP() << "no python3-dev";
    workshop_.write("summing.c", extension_c);
    workshop_.write("processes.py", processes_py);
  }
  bool build(const std::string& compiler) const {
    return workshop_
               .run(compiler +
                    " -g -O1 -fopenmp -shared -fPIC $(/usr/bin/python3-config --includes) summing.c -o summing.so")
               .status == 0;
  }
  Outcome run(const std::string& rest, const std::string& options = "") const {
    return workshop_.run("timeout 100 fletcher run " + options + " -- " + python + rest);
  }
  void expect_equal(const std::string& program) const {
    const Outcome plain = workshop_.run(python + ("-c '" + program + "'"));
    if (plain.status != 0) GTEST_SKIP() << plain.errors;
    const Outcome checked = run("-c '" + program + "'");
    EXPECT_EQ(checked.status, 0) << checked.errors;
    EXPECT_EQ(checked.output, plain.output);
    // The library of linear algebra that is installed may do without OpenMP.
    if (checked.errors.starts_with("fletcher: no parallel region was seen")) return;
    EXPECT_EQ(checked.errors, plain.errors);
  }
  Workshop workshop_;
};

TEST_F(Python, AnExtensionModuleRunsInProcessesAndThreadsOfAllKinds) {
  ASSERT_TRUE(build("gcc"));
  for (const std::string how : {"fork", "spawn", "forkserver"})
    for (const std::string options : {"", "--options enabled=0"}) {
      if (how != "fork" && !options.empty()) continue;
      const Outcome outcome = run("processes.py " + how, options);
      EXPECT_EQ(outcome.status, 0) << how << outcome.errors;
      EXPECT_TRUE(outcome.output.find(processes_say.substr(12)) != std::string::npos) << how << outcome.output;
      const bool hangs = how == "fork" && options.empty(); // on libgomp
      EXPECT_EQ(outcome.errors.find("[fork-after-region]") != std::string::npos, hangs) << how << outcome.errors;
      EXPECT_TRUE(hangs || outcome.errors.empty()) << how << outcome.errors;
    }
}

TEST_F(Python, AFindingInAnExtensionModuleIsTold) {
  ASSERT_TRUE(build("gcc -DFINDING"));
  const Outcome outcome = run("-c 'import summing; print(summing.total(4))'", "--sarif report.sarif");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "(6, 3)\n");
  EXPECT_NE(outcome.errors.find("summing.c:20:"), std::string::npos) << outcome.errors;
  EXPECT_TRUE(workshop_.has("report.sarif"));
}

TEST_F(Python, AnExtensionModuleOfTheDriverIsCheckedWithItsAccesses) {
  workshop_.write("summing.c", extension_c + "/* the race */\n");
  ASSERT_TRUE(build("fletcher-cc"));
  for (const std::string how : {"", "fletcher run -- "}) {
    const Outcome outcome =
        workshop_.run("timeout 100 " + how + python + "-c 'import summing; print(summing.total(4))'");
    EXPECT_EQ(outcome.status, 0) << how << outcome.errors;
    EXPECT_EQ(outcome.output, "(6, 3)\n") << how << outcome.errors;
  }
}

TEST_F(Python, ARaceInACythonModuleIsToldWithItsOwnLines) {
  if (workshop_.run("/usr/bin/cython3 --version").status != 0) GTEST_SKIP() << "no cython3";
  workshop_.write("adding.pyx", "# cython: language_level=3\n"
                                "from cython.parallel import prange\n"
                                "def total(int n):\n"
                                "    cdef long[1] sum\n"
                                "    cdef int i\n"
                                "    sum[0] = 0\n"
                                "    for i in prange(n, nogil=True, num_threads=2):\n"
                                "        sum[0] = sum[0] + i\n"
                                "    return n\n");
  ASSERT_EQ(workshop_
                .run("/usr/bin/cython3 adding.pyx && fletcher-cc -g -O1 -fopenmp -shared -fPIC "
                     "$(/usr/bin/python3-config --includes) adding.c -o adding.so")
                .status,
            0);
  const Outcome outcome = run("-c 'import adding; print(adding.total(4))'");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "4\n");
  EXPECT_TRUE(in_order(outcome.errors, {"adding.pyx:8: error: data race", "'sum'", "sum[0] = sum[0] + i"}))
      << outcome.errors;
  EXPECT_EQ(outcome.errors.find("adding.c:"), std::string::npos) << outcome.errors;
}

/// As docs/python.md builds one.
TEST_F(Python, APybind11ModuleIsBuiltByItsOwnScript) {
  if (workshop_.run("/usr/bin/python3 -c 'import pybind11, setuptools, numpy'").status != 0)
    GTEST_SKIP() << "no python3-pybind11, python3-setuptools or python3-numpy";
  workshop_.write("adding.cpp",
                  "#include <pybind11/numpy.h>\n"
                  "#include <pybind11/pybind11.h>\n"
                  "namespace py = pybind11;\n"
                  "static long total;\n"
                  "long total_of(py::array_t<long> numbers) {\n"
                  "  auto of = numbers.unchecked<1>();\n"
                  "  long sum = 0;\n"
                  "  py::gil_scoped_release others_may_run;\n"
                  "#pragma omp parallel for reduction(+ : sum)\n"
                  "  for (py::ssize_t i = 0; i < of.shape(0); i++) sum += of(i);\n"
                  "  return sum;\n"
                  "}\n"
                  "void count(long n) {\n"
                  "#pragma omp parallel for\n"
                  "  for (long i = 0; i < n; i++)\n"
                  "    total += i;\n"
                  "}\n"
                  "PYBIND11_MODULE(adding, m) { m.def(\"total_of\", &total_of), m.def(\"count\", &count); }\n");
  workshop_.write("setup.py", "from pybind11.setup_helpers import Pybind11Extension\n"
                              "from setuptools import setup\n"
                              "setup(name='adding', ext_modules=[Pybind11Extension('adding', ['adding.cpp'], "
                              "extra_compile_args=['-fopenmp', '-O1', '-g'], extra_link_args=['-fopenmp'])])\n");
  ASSERT_EQ(workshop_.run("CC=fletcher-cc CXX=fletcher-c++ /usr/bin/python3 setup.py -q build_ext --inplace").status,
            0);
  const Outcome outcome = run("-c 'import numpy, adding; print(adding.total_of(numpy.arange(1000)))'");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "499500\n");
  EXPECT_EQ(outcome.errors, "");
  const Outcome racy = run("-c 'import adding; adding.count(1000)'");
  EXPECT_EQ(racy.status, 66);
  EXPECT_TRUE(in_order(racy.errors, {"adding.cpp:16:", "error: data race", "'total'"})) << racy.errors;
}

/// As docs/python.md installs one, and calls it from joblib's workers: new processes, forked ones, threads.
TEST_F(Python, PipInstallsAModuleThatJoblibsWorkersCall) {
  if (workshop_.run("/usr/bin/python3 -c 'import setuptools, wheel, pip'").status != 0)
    GTEST_SKIP() << "no python3-pip, python3-setuptools or python3-wheel";
  workshop_.write("summing.c",
                  "#define REDUCED reduction(+ : sum)\n"
                  "#ifdef RACY\n"
                  "#undef REDUCED\n"
                  "#define REDUCED\n"
                  "#endif\n" +
                      std::string(extension_c).replace(extension_c.find("reduction(+ : sum)"), 18, "REDUCED"));
  workshop_.write("setup.py", "from setuptools import Extension, setup\n"
                              "setup(name='summing', ext_modules=[Extension('summing', ['summing.c'], "
                              "extra_compile_args=['-fopenmp', '-O1', '-g'], extra_link_args=['-fopenmp'])])\n");
  for (const std::string kind : {"fixed", "racy"})
    ASSERT_EQ(workshop_
                  .run("rm -rf build; CC=fletcher-cc CXX=fletcher-c++ CFLAGS=-D" +
                       std::string(kind == "racy" ? "RACY" : "FIXED") +
                       " /usr/bin/python3 -m pip -q install --no-build-isolation --no-deps --no-index --target " +
                       kind + " .")
                  .status,
              0);
  const auto with = [&](const std::string& kind, const std::string& rest) {
    return workshop_.run("PYTHONPATH=" + kind + " timeout 100 fletcher run -- " + python + rest);
  };
  const Outcome racy = with("racy", "-c 'import summing; summing.total(1000)'");
  EXPECT_EQ(racy.status, 66) << racy.errors;
  EXPECT_TRUE(in_order(racy.errors, {"summing.c:", "error: data race", "'sum'"})) << racy.errors;

  if (workshop_.run("/usr/bin/python3 -c 'import joblib'").status != 0) GTEST_SKIP() << "no python3-joblib";
  workshop_.write("workers.py",
                  "import sys\n"
                  "from joblib import Parallel, delayed\n"
                  "def work(n):\n"
                  "  import summing\n"
                  "  return summing.total(n)[0]\n"
                  "if __name__ == '__main__':\n"
                  "  print(Parallel(n_jobs=2, backend=sys.argv[1])(delayed(work)(n) for n in range(4)))\n");
  for (const std::string how : {"loky", "multiprocessing", "threading"}) {
    const Outcome fixed = with("fixed", "workers.py " + how);
    EXPECT_EQ(fixed.status, 0) << how << fixed.errors;
    EXPECT_EQ(fixed.output, "[0, 0, 1, 3]\n") << how << fixed.errors;
    EXPECT_EQ(fixed.errors.find("error:"), std::string::npos) << how << fixed.errors;
  }
  EXPECT_NE(with("racy", "workers.py loky").errors.find("error: data race"), std::string::npos);
}

TEST_F(Python, APythonWithoutOpenMPIsSaidToHaveRunNone) {
  const Outcome outcome = run("-c 'print(1)'");
  EXPECT_EQ(outcome.output, "1\n");
  EXPECT_TRUE(outcome.errors.starts_with("fletcher: no parallel region was seen in ")) << outcome.errors;
}

TEST_F(Python, NumPyIsAsItWas) {
  expect_equal("import numpy; a = numpy.arange(160000.0).reshape(400, 400); print((a @ a).sum())");
}

TEST_F(Python, ScikitLearnIsAsItWas) {
  expect_equal("import numpy, sklearn.cluster as c; a = numpy.random.RandomState(0).rand(500, 4); "
               "print(round(c.KMeans(3, random_state=0, n_init=1).fit(a).inertia_, 6))");
}

} // namespace
} // namespace fletcher::test
