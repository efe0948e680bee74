// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page: a frame of well-formed markup around the graph as JSON and the script that shows it.
#include "reports/document/words.hpp"
#include "reports/forms/html_style.hpp"
#include "reports/forms/markup.hpp"
#include "reports/graph/page.hpp"
#include "reports/graph/run_graph.hpp"

namespace fletcher::reports {

namespace {

/// JSON that stands in markup: what would end or begin an element there is written as JSON's own escapes.
std::string in_markup(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json)
    if (c == '<' || c == '>' || c == '&')
      out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    else
      out += c;
  return out;
}

} // namespace

std::string graph_html(const RunGraph& graph) {
  const Run& run = graph.run();
  const std::string program = escaped(one_line(run.program.substr(run.program.rfind('/') + 1)));
  std::string command = run.program;
  for (const std::string& argument : run.arguments) command += " " + argument;
  std::string page = "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
                     "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>Task "
                     "graph: " +
                     program + "</title>\n<style>" + escaped(html_style) + escaped(graph_page_style) +
                     "</style>\n</head>\n<body>\n<h1>Task graph: " + program + "</h1>\n<p><code>" +
                     escaped(one_line(command)) + "</code><br/><span class=\"dim\">level " +
                     std::string(level_words(run.level)) + ", " + plural(run.threads, "thread") + "</span></p>\n";
  for (const std::string& note : run.notes) page += "<p class=\"warning\">" + escaped(one_line(note)) + "</p>\n";
  page += graph_page_body;
  page += "<script type=\"application/json\" id=\"data\">" + in_markup(graph_json(graph)) + "</script>\n";
  page += "<script>//<![CDATA[\n";
  page += graph_page_script;
  return as_utf8(page + "//]]></script>\n</body>\n</html>\n");
}

} // namespace fletcher::reports
