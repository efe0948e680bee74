// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that belong together and must not be executed by two threads at a time, in one critical construct: calls
// of a container (critical_calls.cpp); an extreme value and where it was found, an element that is added behind the
// last one, updates of a structure's members (critical_updates.cpp).
#pragma once

#include "reports/repair/repair.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

std::optional<Repair> critical_calls(const std::vector<Site>& sites, const Code& code);
/// A variable that a function of a library changes by an argument: `rand_r(&seed)`.
std::optional<Repair> critical_argument(const std::vector<Site>& sites, const std::string& name, const Code& code);
/// `name`: the variable of the races.
std::optional<Repair> critical_extreme(const std::vector<Site>& sites, const std::string& name, const Code& code);
/// `name` is empty for memory of the heap.
std::optional<Repair> critical_addition(const std::vector<Site>& sites, const std::string& name, const Code& code);
/// Updates of several members of one structure, which may come in any order.
std::optional<Repair> critical_members(const std::vector<Site>& sites, const std::string& name, const Code& code);

// ---- what all of them need
// --------------------------------------------------------------------------------------------

/// Whole lines that go into the construct.
struct Lines {
  std::uint32_t first = 0, last = 0;
  Extent extent() const { return {{first, 0}, {last + 1, 0}}; }
};
/// All sites are in the lines, and hold no lock.
bool are_in(const std::vector<Site>& sites, const Lines& lines);
/// Nothing in there leaves the construct, and no other construct is inside.
bool can_be_critical(const Lines& lines, const Code& code);
/// By the text, all threads that reach the line have the same variable: no construct around it has copies, and none
/// begins with one of its own.
bool is_shared(const std::string& name, std::uint32_t line, const Code& code);
/// The construct is named after `name`.
Repair critical_around(const Lines& lines, bool one_statement, const std::string& name, const Code& code);

/// Where the innermost construct around one of the sites, or its function where it is in none, names a variable outside
/// of the steps, except for atomic constructs: what is read there may need an order.
bool is_used_besides(const std::vector<Site>& sites, const std::vector<Extent>& steps, const std::string& name,
                     const Code& code);
/// The statement is all that its lines have, and a construct can go in front of it.
bool is_alone(const Code& code, const Extent& step);
bool has_atomic_above(const Code& code, std::uint32_t line);
/// Adds a construct in front of a statement. One behind a head on the same line gets a line of its own. False: the text
/// leaves no place for it.
bool add_construct(const Code& code, const std::string& word, const Extent& statement, std::vector<Edit>& edits);

} // namespace fletcher::reports
