// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stand-alone directives: cancel, flush, error.

#include "lib/ompt/local.hpp"

#include <array>

namespace fletcher::ompt {

namespace {

CancelKind cancel_kind(int flags) noexcept {
  if (has(flags, ompt_cancel_parallel)) return CancelKind::parallel;
  if (has(flags, ompt_cancel_sections)) return CancelKind::sections;
  if (has(flags, ompt_cancel_loop)) return CancelKind::loop;
  return CancelKind::taskgroup;
}

void on_cancel(ompt_data_t* task, int flags, const void* codeptr_ra) {
  const Entered at;
  listener->on(Cancel{at.thread(), task_of(task, at), cancel_kind(flags), has(flags, ompt_cancel_activated),
                      has(flags, ompt_cancel_discarded_task), code(codeptr_ra)});
}

void on_flush(ompt_data_t*, const void* codeptr_ra) {
  const Entered at;
  listener->on(Flush{at.thread(), at.task(), code(codeptr_ra)});
}

void on_error(ompt_severity_t severity, const char* message, std::size_t length, const void* codeptr_ra) {
  const Entered at;
  listener->on(ErrorDirective{at.thread(), severity == ompt_fatal, message, length, code(codeptr_ra)});
}

} // namespace

std::span<const Callback> directive_callbacks() {
  static const std::array list{
      Callback{ompt_callback_cancel, as_callback<ompt_callback_cancel_t>(on_cancel), "cancel"},
      Callback{ompt_callback_flush, as_callback<ompt_callback_flush_t>(on_flush), "flush"},
      Callback{ompt_callback_error, as_callback<ompt_callback_error_t>(on_error), "error"},
  };
  return list;
}

} // namespace fletcher::ompt
