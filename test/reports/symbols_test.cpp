// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real symbols: programs/places.c, compiled by each compiler, says its own addresses, and the names must fit its lines.
#include "reports/symbols/cython_sources.hpp"
#include "reports/symbols/elf_image.hpp"
#include "reports/symbols/function_names.hpp"
#include "reports/symbols/subprocess.hpp"
#include "reports/symbols/symbolizer.hpp"
#include "reports/symbols/symbols.hpp"
#include "reports/symbols/variable_names.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace fletcher::reports {
namespace {

struct Say {
  Address code = 0, data = 0, frame = 0;
};

struct Program {
  Document document;
  std::map<std::string, Say> says;
};

/// The frame that has the data; as llvm-symbolizer needs it.
ObjectDescription object_of(const Say& say) {
  ObjectDescription object;
  object.kind = ObjectKind::stack;
  object.origin = {say.code};
  object.frame_pointer = say.frame;
  return object;
}

/// Runs it and makes a document in which every say() is an access.
Program run_places(const std::string& path) {
  Program out;
  const auto output = run_filter(path, {}, {}, std::chrono::seconds(30));
  EXPECT_TRUE(output) << output.error();
  if (!output) return out;
  std::istringstream in(*output);
  std::vector<Module> modules;
  std::vector<Finding> findings;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, numbers[3];
    words >> name >> numbers[0] >> numbers[1] >> numbers[2];
    const auto number = [&](int i) { return static_cast<Address>(std::strtoull(numbers[i].c_str(), nullptr, 16)); };
    if (name == "module") {
      modules.push_back({path, number(0), number(0), number(1), ""});
      continue;
    }
    out.says[name] = {number(0), number(1), number(2)};
    Finding& finding = findings.emplace_back();
    AccessDescription access;
    access.stack = {number(0)};
    access.address = number(1);
    access.size = 4;
    finding.accesses = {access};
    finding.object = object_of(out.says[name]);
  }
  out.document = make_document({}, modules, findings);
  return out;
}

std::uint32_t marked_line(const std::string& mark) {
  std::istringstream in(read_whole(PLACES_SOURCE));
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find("/* mark: " + mark + " */") != std::string::npos) return number;
  }
  ADD_FAILURE() << mark;
  return 0;
}

class Places : public ::testing::TestWithParam<const char*> {
protected:
  Places() : program_(run_places(std::string(PLACES_FOLDER) + "/places-" + GetParam())) {}
  Program program_;
};

TEST_P(Places, LinesColumnsFunctionsAndVariables) {
  const SymbolTable symbols = symbolize(program_.document, "");
  EXPECT_EQ(symbols.problem(), "");
  const auto frames = [&](const std::string& name) { return symbols.shown({program_.says.at(name).code}); };
  for (const char* name : {"main", "inlined", "local", "region", "task"}) {
    const auto stack = frames(name);
    ASSERT_FALSE(stack.empty()) << name;
    EXPECT_EQ(stack.front().place.line, marked_line(name)) << name;
    EXPECT_NE(stack.front().place.column, 0U) << name;
    EXPECT_EQ(stack.front().place.file, PLACES_SOURCE) << name;
  }
  EXPECT_EQ(frames("main").front().function.name, "main");

  const auto inlined = frames("inlined");
  ASSERT_EQ(inlined.size(), 2U);
  EXPECT_EQ(inlined[0].function.name, "bump");
  EXPECT_EQ(inlined[1].function.name, "main");
  EXPECT_EQ(inlined[1].place.line, marked_line("call"));

  ASSERT_EQ(frames("region").size(), 1U);
  EXPECT_EQ(shown_name(frames("region").front().function), "work (parallel region)");
  ASSERT_EQ(frames("task").size(), 1U);
  const UserFunction task = frames("task").front().function;
  EXPECT_TRUE(task.outlined == Outlined::task || task.outlined == Outlined::region);
  EXPECT_TRUE(task.name == "work" || task.name.empty()) << task.name;

  const auto table = symbols.global(program_.says.at("table").data);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->name, "table");
  EXPECT_EQ(table->size, 40U);
  EXPECT_EQ(program_.says.at("table").data - table->start, 12U);
  EXPECT_EQ(symbols.global(program_.says.at("main").data)->name, "total");
  EXPECT_EQ(symbols.global(program_.says.at("main").data)->declared.line, 8U);
  EXPECT_FALSE(symbols.global(program_.says.at("local").data));
}

TEST_P(Places, AConstructHasTheLineOfItsBodysFunction) {
  const SymbolTable symbols = symbolize(program_.document, "");
  const auto frames = symbols.shown({program_.says.at("construct").code});
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames.front().place.line, marked_line("construct"));
  EXPECT_EQ(frames.back().function.name, "main");
}

TEST_P(Places, StackVariablesAreNamedByTheirPlaceInTheFrame) {
  const SymbolTable symbols = symbolize(program_.document, "");
  for (const char* name : {"local", "pair"}) {
    const Say& say = program_.says.at(name);
    const auto variable = symbols.local(object_of(say), say.data);
    ASSERT_TRUE(variable) << name;
    EXPECT_EQ(variable->name, name);
    EXPECT_NE(variable->declared.line, 0U);
    EXPECT_EQ(say.data - variable->start, std::string(name) == "pair" ? 4U : 0U);
  }
  const Say& say = program_.says.at("local");
  EXPECT_FALSE(symbols.local(object_of(say), say.frame - 1000000));
  EXPECT_FALSE(symbols.local(object_of({say.code, say.data, 0}), say.data));
}

TEST_P(Places, AVariableHasItsOwnNameOrNone) {
  const SymbolTable symbols = symbolize(program_.document, "");
  for (const char* name : {"wide", "last", "first", "second"}) {
    const Say& say = program_.says.at(name);
    if (const auto variable = symbols.local(object_of(say), say.data)) {
      EXPECT_EQ(variable->name, name);
    }
  }
}

TEST_P(Places, WithoutASymbolizerTheElfSymbolsAnswer) {
  for (const char* symbolizer : {"/nonexistent/llvm-symbolizer", "/bin/false", "/bin/true"}) {
    const SymbolTable symbols = symbolize(program_.document, symbolizer);
    EXPECT_NE(symbols.problem(), "") << symbolizer;
    EXPECT_EQ(symbols.problem().find('\n'), std::string::npos);
    const auto main_frames = symbols.shown({program_.says.at("main").code});
    ASSERT_EQ(main_frames.size(), 1U);
    EXPECT_EQ(main_frames[0].function.name, "main");
    EXPECT_FALSE(main_frames[0].place.known());
    EXPECT_NE(main_frames[0].offset, 0U);
    ASSERT_TRUE(symbols.global(program_.says.at("table").data));
    EXPECT_EQ(symbols.global(program_.says.at("table").data)->name, "table");
  }
}

TEST_P(Places, AStrippedProgramIsToldAndStaysModuleAndOffset) {
  const Workspace workspace;
  const std::string stripped = workspace.file("stripped");
  ASSERT_TRUE(run_filter("/usr/bin/strip", {"-o", stripped, program_.document.modules.at(0).path}, {},
                         std::chrono::seconds(30)));
  program_.document.modules[0].path = stripped;
  const SymbolTable symbols = symbolize(program_.document, "");
  EXPECT_NE(symbols.problem().find("stripped has no line information"), std::string::npos) << symbols.problem();
  const auto frames = symbols.shown({program_.says.at("main").code});
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].module, stripped);
  EXPECT_EQ(frames[0].offset, program_.says.at("main").code - program_.document.modules[0].base);
  EXPECT_EQ(frames[0].function.name, "");
}

TEST_P(Places, ATruncatedElfFileHasFewerSymbolsButDoesNoHarm) {
  const Workspace workspace;
  const std::string whole = read_whole(program_.document.modules.at(0).path);
  const Address address = program_.says.at("main").code - program_.document.modules[0].base;
  EXPECT_EQ(ElfImage(program_.document.modules[0].path).function(address)->name, "main");
  int found = 0;
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    const ElfImage image(workspace.write("cut", whole.substr(0, length)));
    found += image.function(address) ? 1 : 0;
  }
  EXPECT_EQ(found, 0); // the section headers are at the end
}

INSTANTIATE_TEST_SUITE_P(Compilers, Places, ::testing::Values(PLACES_PROGRAMS), [](const auto& param) {
  std::string name = param.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Symbolizer, AnOldOneStillAnswers) {
  const std::string old = "/usr/lib/llvm-14/bin/llvm-symbolizer";
  const std::string path = find_symbolizer(old) ? old : *find_symbolizer("");
  const auto answers = ask(path, {{Query::Kind::code, "/nonexistent/file", 16}, {Query::Kind::data, "/bin/sh", 1}});
  ASSERT_TRUE(answers) << answers.error();
  EXPECT_EQ(answers->size(), 2U);
}

TEST(FunctionNames, TheUsersFunctionIsFoundBehindTheCompilers) {
  const std::map<std::string, std::string> expected{
      {"main", "main"},
      {"main.omp_outlined", "main (parallel region)"},
      {"main.omp_outlined_debug__", "main (parallel region)"},
      {"main.omp_outlined_debug__.1", "main (parallel region)"},
      {".omp_outlined.", "a parallel region"},
      {".omp_outlined..2", "a parallel region"},
      {".omp_task_entry.", "a task"},
      {".omp_task_entry..3", "a task"},
      {"main._omp_fn.0", "main (parallel region)"},
      {"Q<long>::go(long) (.omp_outlined_debug__)", "Q<long>::go(long) (parallel region)"},
      {"Q<long>::go(long) (._omp_fn.1)", "Q<long>::go(long) (parallel region)"},
      {"app::relax() [clone .omp_outlined]", "app::relax() (parallel region)"},
      {"main.omp_outlined.omp.reduction.reduction_func", "main (reduction)"},
      {"solve.constprop.0", "solve"},
      {"work.part.0._omp_fn.2", "work (parallel region)"},
      {"__sorting_MOD_merge", "sorting::merge"},
      {"__sorting_MOD_merge._omp_fn.3", "sorting::merge (parallel region)"},
      {"__MOD_x", "__MOD_x"},
      {"inner.0", "inner"},
      {"inner.1._omp_fn.0", "inner (parallel region)"},
      {"MAIN__._omp_fn.0", "the main program (parallel region)"},
      {"__omp_offloading_10302_2f1_relax_all_l12", "relax_all (target region)"},
  };
  for (const auto& [compiler, shown] : expected) EXPECT_EQ(shown_name(user_function(compiler)), shown) << compiler;
  EXPECT_EQ(shown_name({"main", Outlined::teams}), "main (teams region)"); // to compilers it is a parallel one
}

TEST(CythonSources, ALineOfTheMadeFileIsOneOfTheUsersFile) {
  const Workspace workspace;
  const std::string c = workspace.write("a.c", "/* Generated by Cython 0.29.32 */\n"
                                               "int before;\n"
                                               "  /* \"a.pyx\":8\n"
                                               " * of line 8\n"
                                               " */\n"
                                               "int of_line_8;\n"
                                               "/* \"a.pyx\":3\n"
                                               " */\n"
                                               "int of_line_3;\n");
  const std::string pyx = workspace.write("a.pyx", "");
  const std::string other = workspace.write("b.c", "int x;\n/* \"a.pyx\":8 */\nint y;\n");
  CythonSources sources;
  EXPECT_EQ(sources.written({c, 2, 5}), (SourcePlace{c, 2, 5}));
  EXPECT_EQ(sources.written({c, 6, 5}), (SourcePlace{pyx, 8, 0}));
  EXPECT_EQ(sources.written({c, 9, 1}), (SourcePlace{pyx, 3, 0}));
  EXPECT_EQ(sources.written({other, 3, 1}), (SourcePlace{other, 3, 1}));
  EXPECT_EQ(sources.written({}), SourcePlace{});
}

TEST(VariableNames, StaticLocalsHaveTheUsersName) {
  const std::map<std::string, std::string> expected{
      {"table", "table"},
      {"main.counter", "counter"},
      {"main.counter.1", "counter"},
      {"counter.0", "counter"},
      {"counter.17.lto_priv.0", "counter"},
      {"table.lto_priv.2", "table"},
      {"table.llvm.1234567890", "table"},
      {"main::counter", "main::counter"},
      {"counts[abi:cxx11]", "counts"},
      {"f(int)::n", "f(int)::n"},
      {"pi<3.5>", "pi<3.5>"},
      {".gomp_critical_user_name.var", ".gomp_critical_user_name.var"},
      {"__state_MOD_count", "state::count"},
      {"__pyx_v_count", "count"},
      {".0", ".0"},
      {"", ""},
  };
  for (const auto& [symbol, name] : expected) EXPECT_EQ(user_variable(symbol), name);
}

TEST(VariableNames, CriticalConstructsHaveTheProgramsName) {
  EXPECT_EQ(critical_name(".gomp_critical_user_total"), "total");
  EXPECT_EQ(critical_name(".gomp_critical_user_total.var"), "total");
  EXPECT_EQ(critical_name(".gomp_critical_user_.var"), "");
  EXPECT_EQ(critical_name("total"), "");
}

TEST(FunctionNames, LongNamesLoseParametersFirst) {
  const std::map<std::string, std::string> expected{
      {"main", "main"},
      {"f(int)", "f(int)"},
      {"(anonymous namespace)::count_lengths(std::vector<std::string, std::allocator<std::string>> const&)",
       "(anonymous namespace)::count_lengths(...)"},
      {"std::vector<std::string, std::allocator<std::string>>::operator[](unsigned long) const",
       "std::vector<...>::operator[](...) const"},
      {"a_namespace::matrix<double, 3, another_namespace::policy>::operator()(unsigned, unsigned)",
       "a_namespace::matrix<...>::operator()(...)"},
      {"some_namespace::quite_a_long_function_name_that_takes_no_parameters_at_all()",
       "some_namespace::quite_a_long_function_name_that_takes_no_parameters_at_all()"},
      {"some_namespace::quite_a_long_function_name::operator<<(std::ostream&, value const&)",
       "some_namespace::quite_a_long_function_name::operator<<(...)"},
      {"unbalanced_parentheses_in_a_name_that_is_longer_than_sixty_characters)(",
       "unbalanced_parentheses_in_a_name_that_is_longer_than_sixty_characters)("},
  };
  for (const auto& [name, shown] : expected) EXPECT_EQ(short_name(name), shown);
}

TEST(FunctionNames, RuntimesAreKnown) {
  for (const char* name :
       {"__kmpc_fork_call", "GOMP_parallel", "__tsan_write4", "_start", "__libc_start_main", "clone3"})
    EXPECT_TRUE(is_runtime_function(name)) << name;
  for (const char* name : {"main", "omp_solver", "kmp_match", "clone_list", "start", "fletcher_main"})
    EXPECT_FALSE(is_runtime_function(name)) << name;
  for (const char* path : {"/x/libfletcher.so", "/usr/lib/libomp.so.5", "/lib/x86_64-linux-gnu/libc.so.6"})
    EXPECT_TRUE(is_runtime_module(path)) << path;
  for (const char* path : {"/x/libcolor.so", "/x/libsolver.so", "/x/a.out"})
    EXPECT_FALSE(is_runtime_module(path)) << path;
}

} // namespace
} // namespace fletcher::reports
