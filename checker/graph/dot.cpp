// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the DOT language: strands in a cluster per task, synchronisation nodes outside, edges styled by reason.
#include "checker/graph/dot.hpp"

#include "checker/graph/transitive_reduction.hpp"

#include <map>
#include <ostream>
#include <vector>

namespace fletcher::graph {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string_view style(EdgeReason reason) noexcept {
  switch (reason) {
  case EdgeReason::program_order:
    return "weight=8";
  case EdgeReason::creation:
  case EdgeReason::fork:
    return "color=blue";
  case EdgeReason::dependence:
    return "color=darkgreen";
  case EdgeReason::lock_order:
    return "color=gray, style=dashed";
  case EdgeReason::ordered:
  case EdgeReason::doacross:
  case EdgeReason::release:
  case EdgeReason::acquire:
  case EdgeReason::fulfill:
    return "color=purple";
  default:
    return "color=black";
  }
}

class Drawing {
public:
  Drawing(std::ostream& out, const TaskGraph& graph, const DotOptions& options)
      : out_(out), graph_(graph), options_(options) {}

  void write() {
    out_ << "digraph task_graph {\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n";
    write_nodes();
    write_edges();
    out_ << "}\n";
  }

private:
  /// Synchronisation nodes that nothing follows (a barrier nobody reached) say nothing.
  bool shown(Vertex vertex) const {
    const Node& node = graph_[vertex];
    if (options_.region != TeamId::none && node.region != options_.region) return false;
    return node.kind == NodeKind::strand ||
           (boost::in_degree(vertex, graph_) > 0 && boost::out_degree(vertex, graph_) > 0);
  }

  std::string label(Vertex vertex) const {
    const Node& node = graph_[vertex];
    std::string text(name(node.kind));
    if (node.kind == NodeKind::strand) {
      text = std::to_string(number(node.task)) + '.' + std::to_string(node.ordinal);
      text += '\n';
      text += name(node.began);
    }
    if (options_.place && node.pc != 0) text += '\n' + options_.place(node.pc);
    if (const std::string more = options_.note ? options_.note(vertex) : ""; !more.empty()) text += '\n' + more;
    return text;
  }

  void write_node(Vertex vertex, std::string_view indent) {
    const bool strand = graph_[vertex].kind == NodeKind::strand;
    out_ << indent << 'v' << vertex << " [label=" << quoted(label(vertex));
    if (!strand) out_ << ", shape=ellipse, color=gray";
    if (options_.highlight && options_.highlight(vertex)) out_ << ", color=red, penwidth=2";
    out_ << "];\n";
  }

  void write_nodes() {
    std::map<TaskId, std::vector<Vertex>> tasks;
    for (const Vertex vertex : boost::make_iterator_range(boost::vertices(graph_))) {
      if (!shown(vertex)) continue;
      if (graph_[vertex].kind == NodeKind::strand)
        tasks[graph_[vertex].task].push_back(vertex);
      else
        write_node(vertex, "  ");
    }
    for (const auto& [task, strands] : tasks) {
      out_ << "  subgraph cluster_" << number(task) << " {\n    label=\"task " << number(task) << "\";\n";
      for (const Vertex vertex : strands) write_node(vertex, "    ");
      out_ << "  }\n";
    }
  }

  void write_edges() {
    if (options_.reduce) {
      for (const EdgeId edge : transitive_reduction(graph_, Reachability(graph_))) write_edge(edge);
    } else {
      for (const EdgeId edge : boost::make_iterator_range(boost::edges(graph_))) write_edge(edge);
    }
  }

  void write_edge(EdgeId edge) {
    const Vertex from = boost::source(edge, graph_);
    const Vertex to = boost::target(edge, graph_);
    if (!shown(from) || !shown(to)) return;
    out_ << "  v" << from << " -> v" << to << " [" << style(graph_[edge].reason)
         << ", tooltip=" << quoted(name(graph_[edge].reason)) << "];\n";
  }

  std::ostream& out_;
  const TaskGraph& graph_;
  const DotOptions& options_;
};

} // namespace

void write_dot(std::ostream& out, const TaskGraph& graph, const DotOptions& options) {
  Drawing(out, graph, options).write();
}

} // namespace fletcher::graph
