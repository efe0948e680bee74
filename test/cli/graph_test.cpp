// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher run --graph`: the task graph of a run in all its forms, at level graph by a program that knows nothing of
// Fletcher, and with the findings at level native.
#include "test/support/workshop.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace fletcher::test {
namespace {

/// A chain of three tasks beside one that depends on nothing, and a child of that; the last one races with it.
const std::string program = R"(
#include <stdio.h>
static double busy(int turns) {
  double sum = 1;
  for (int i = 0; i < turns * 1000; ++i) sum = sum * 1.0000001 + i;
  return sum;
}
int main(void) {
  double chain = 0, child = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 3; ++i) {
#pragma omp task depend(inout : chain)
      chain += busy(200);
    }
#pragma omp task
    {
#pragma omp task shared(child)
      child = busy(10);
    }
#pragma omp taskwait
    child += 1;
  }
  printf("%d\n", chain + child > 0);
  return 0;
}
)";

using Json = nlohmann::json;

class GraphOfARun : public testing::Test {
protected:
  void build(const std::string& compiler) {
    workshop.write("app.c", program);
    const Outcome built = workshop.run(compiler + " -g -O1 -fopenmp app.c -o app");
    ASSERT_EQ(built.status, 0) << built.errors;
  }
  Json draw(int status) {
    const Outcome ran = workshop.run("fletcher run --graph app.json -- ./app");
    EXPECT_EQ(ran.status, status) << ran.errors;
    return Json::parse(workshop.read("app.json"), nullptr, false);
  }
  static std::string place(const Json& graph, std::size_t activity) {
    const int place = graph["activities"]["place"][activity];
    return place < 0 ? "" : graph["places"][static_cast<std::size_t>(place)]["name"].get<std::string>();
  }
  Workshop workshop;
};

TEST_F(GraphOfARun, HasTasksEdgesWaitsAndTheCriticalPath) {
  build("clang-19");
  Json graph;
  std::vector<std::size_t> chain, inner;
  // On a busy machine whoever has to wait for a processor takes longer than he should: then once more.
  for (int tries = 0; tries < 20; ++tries) {
    graph = draw(0);
    ASSERT_TRUE(graph.is_object());
    chain.clear();
    inner.clear();
    double of_chain = 0, of_others = 0;
    for (std::size_t i = 0; i < graph["activities"]["kind"].size(); ++i) {
      const std::string where = place(graph, i);
      if (where == "app.c:14") chain.push_back(i);
      if (where == "app.c:19") inner.push_back(i);
      const std::string kind = graph["activities"]["kind"][i];
      if (kind == "task" || kind == "implicit")
        (where == "app.c:14" ? of_chain : of_others) += graph["activities"]["time"][i].get<double>();
    }
    if (of_others < of_chain / 2) break;
  }
  const Json& activities = graph["activities"];
  ASSERT_EQ(chain.size(), 3U) << graph.dump(1);
  ASSERT_EQ(inner.size(), 1U) << graph.dump(1);
  EXPECT_EQ(place(graph, activities["parent"][inner[0]].get<std::size_t>()), "app.c:17");
  EXPECT_NE(std::find(graph["edges"].begin(), graph["edges"].end(), Json({chain[0], chain[1], "dependence"})),
            graph["edges"].end());

  ASSERT_EQ(graph["regions"].size(), 1U);
  const Json& region = graph["regions"][0];
  EXPECT_LE(region["span"].get<double>(), region["work"].get<double>());
  std::set<std::size_t> path;
  for (const Json& step : region["path"]) path.insert(step[0].get<std::size_t>());
  for (const std::size_t task : chain) EXPECT_TRUE(path.contains(task)) << graph.dump(1);
  EXPECT_FALSE(path.contains(inner[0]));

  bool waited = false;
  for (const Json& wait : graph["waits"]) waited |= wait[1] == "taskwait" && wait[4] == 4;
  EXPECT_TRUE(waited) << "the taskwait is for four children\n" << graph.dump(1);
}

TEST_F(GraphOfARun, MarksTheTasksOfFindings) {
  build("fletcher-cc");
  const Json graph = draw(66);
  ASSERT_TRUE(graph.is_object());
  ASSERT_FALSE(graph["findings"].empty());
  std::set<std::string> places;
  for (const Json& finding : graph["findings"]) {
    EXPECT_EQ(finding["rule"], "data-race");
    for (const Json& activity : finding["activities"]) places.insert(place(graph, activity.get<std::size_t>()));
  }
  EXPECT_TRUE(places.contains("app.c:19")) << graph.dump(1);
}

TEST_F(GraphOfARun, IsAPageAndWhatOtherProgramsRead) {
  build("clang-19");
  for (const std::string form : {"html", "graphml", "dot"}) {
    const Outcome ran = workshop.run("FLETCHER_OPTIONS='graph=app." + form + "' fletcher run -- ./app");
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_NE(workshop.read("app." + form).find("app.c:14"), std::string::npos) << form;
  }
  const Outcome checked = workshop.run("xmllint --noout --nonet app.html app.graphml");
  EXPECT_EQ(checked.status, 0) << checked.errors;
  EXPECT_TRUE(workshop.read("app.dot").starts_with("digraph"));
  EXPECT_EQ(workshop.read("app.html").find("src="), std::string::npos) << "the page needs no other file";
}

TEST_F(GraphOfARun, SaysWhereThereIsNone) {
  workshop.write("serial.c", "int main(void) { return 0; }\n");
  ASSERT_EQ(workshop.run("clang-19 serial.c -o serial").status, 0);
  EXPECT_EQ(workshop.run("fletcher run --graph a.html -- ./serial").status, 0);
  EXPECT_NE(workshop.read("a.html").find("no parallel region was seen"), std::string::npos);
}

} // namespace
} // namespace fletcher::test
