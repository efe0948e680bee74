// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that belong together and must not be executed by two at a time, in one critical construct: calls of a
// container, an extreme value and where it was found, an element that is added behind the last one.
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

/// Where the innermost construct around one of the sites names a variable outside of the steps, but for atomic
/// constructs: what is read there may need an order.
bool is_used_besides(const std::vector<Site>& sites, const std::vector<Extent>& steps, const std::string& name,
                     const Code& code);
/// The statement is all that its lines have, and a construct can go in front of it.
bool is_alone(const Code& code, const Extent& step);
bool has_atomic_above(const Code& code, std::uint32_t line);
/// Adds a construct in front of a statement. One behind a head on the same line gets a line of its own. False: the text
/// leaves no place for it.
bool add_construct(const Code& code, const std::string& word, const Extent& statement, std::vector<Edit>& edits);

} // namespace fletcher::reports
