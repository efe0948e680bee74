// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/graph/graph_file.hpp"

#include "reports/document/files.hpp"
#include "reports/graph/run_graph.hpp"

#include <cstring>

namespace fletcher::reports {

namespace {

/// An enumerator that nobody has written would be one that no switch knows.
bool is_sound(const graph::Record& record) { return record.kind <= graph::RecordKind::item; }

std::vector<graph::Record> records_of(const std::string& bytes) {
  std::vector<graph::Record> records(bytes.size() / sizeof(graph::Record));
  if (!records.empty()) std::memcpy(records.data(), bytes.data(), records.size() * sizeof(graph::Record));
  for (graph::Record& record : records)
    if (!is_sound(record)) record = {};
  return records;
}

std::string in_form(const std::string& path, const RunGraph& graph) {
  if (path.ends_with(".json")) return graph_json(graph);
  if (path.ends_with(".dot")) return graph_dot(graph);
  if (path.ends_with(".graphml")) return graph_graphml(graph);
  return graph_html(graph);
}

} // namespace

Result<Done> write_graph(const std::string& path, const std::string& trace, const Document& document,
                         const std::vector<Diagnostic>& diagnostics, SourceText& sources,
                         const std::string& symbolizer) {
  std::vector<graph::Record> records;
  if (!trace.empty()) { // else nothing was recorded: an empty graph says so
    const auto bytes = read_file(trace);
    if (!bytes) return Error{bytes.error()};
    records = records_of(*bytes);
  }
  const graph::TimedGraph timed(records);
  const SymbolTable symbols = symbolize_code(document, code_of(timed), symbolizer);
  return write_file_atomically(path, in_form(path, RunGraph(document.run, timed, symbols, diagnostics, sources)));
}

} // namespace fletcher::reports
