// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in a source text a directive can be put without a person's judgement. Knows no grammar: it looks for signs that
// a statement begins on a line, and says no where they are missing.
#pragma once

#include "reports/source/source_text.hpp"

namespace fletcher::reports {

/// A directive can go on a line of its own before that of `place`, an access or a construct: a statement begins there,
/// and a thread that reaches the access passes the directive.
bool begins_statement(const SourcePlace& place, SourceText& sources);

/// The innermost block around the line is a parallel region's: all threads of the team come there.
bool is_directly_in_region(const SourcePlace& place, SourceText& sources);

} // namespace fletcher::reports
