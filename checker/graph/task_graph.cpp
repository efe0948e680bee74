// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of nodes and edges, as drawings and test failures show them.
#include "checker/graph/task_graph.hpp"

namespace fletcher::graph {

std::string_view name(NodeKind kind) noexcept {
  switch (kind) {
  case NodeKind::strand:
    return "strand";
  case NodeKind::task_end:
    return "task end";
  case NodeKind::fork:
    return "fork";
  case NodeKind::join:
    return "join";
  case NodeKind::barrier:
    return "barrier";
  case NodeKind::taskgroup:
    return "taskgroup";
  case NodeKind::depend_wait:
    return "taskwait depend";
  case NodeKind::object:
    return "object";
  }
  return "?";
}

std::string_view name(Began began) noexcept {
  switch (began) {
  case Began::task_begin:
    return "start";
  case Began::task_creation:
    return "task created";
  case Began::parallel_end:
    return "end of parallel";
  case Began::barrier:
    return "barrier";
  case Began::taskwait:
    return "taskwait";
  case Began::taskgroup:
    return "end of taskgroup";
  case Began::undeferred_end:
    return "end of undeferred task";
  case Began::depend_wait:
    return "taskwait depend";
  case Began::fulfill:
    return "fulfill";
  case Began::ordered_begin:
    return "ordered";
  case Began::ordered_end:
    return "end of ordered";
  case Began::doacross_source:
    return "doacross source";
  case Began::doacross_sink:
    return "doacross sink";
  case Began::release:
    return "release";
  case Began::acquire:
    return "acquire";
  case Began::lock_acquired:
    return "lock";
  case Began::lock_released:
    return "unlock";
  }
  return "?";
}

std::string_view name(EdgeReason reason) noexcept {
  switch (reason) {
  case EdgeReason::program_order:
    return "program order";
  case EdgeReason::fork:
    return "fork";
  case EdgeReason::join:
    return "join";
  case EdgeReason::creation:
    return "creation";
  case EdgeReason::body_end:
    return "body end";
  case EdgeReason::fulfill:
    return "fulfill";
  case EdgeReason::taskwait:
    return "taskwait";
  case EdgeReason::taskgroup:
    return "taskgroup";
  case EdgeReason::barrier:
    return "barrier";
  case EdgeReason::dependence:
    return "dependence";
  case EdgeReason::undeferred:
    return "undeferred";
  case EdgeReason::ordered:
    return "ordered";
  case EdgeReason::doacross:
    return "doacross";
  case EdgeReason::release:
    return "release";
  case EdgeReason::acquire:
    return "acquire";
  case EdgeReason::lock_order:
    return "lock order";
  }
  return "?";
}

} // namespace fletcher::graph
