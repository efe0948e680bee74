// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What explain.cpp and explain_cause.cpp share: the parts of a finding with their names, and the sentences made of
// them.
#pragma once

#include "reports/explanation/diagnostic.hpp"
#include "reports/explanation/rule_catalogue.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

class Codes;

/// One access of a finding with its shown stacks.
struct Side {
  const AccessDescription* access = nullptr;
  std::vector<Frame> stack, creation;
  SourcePlace place, created;
  std::optional<std::uint32_t> team; ///< of a league: where the other side is in another one, and its task does not say
};

/// The initial task of the team that the access was made in; null outside of leagues.
const TaskDescription* team_of_league(const AccessDescription& access);
/// Of a league: what is done to order or exclude threads has no effect between two of them.
bool in_two_teams(const std::vector<Side>& sides);

/// The object that both accesses meet in.
struct Object {
  std::string name;   ///< for fingerprints and suppressions; empty where unknown
  std::string words;  ///< as it reads in a sentence: "'sum'", "the heap block allocated at line 7"
  std::string note;   ///< the sentence at `place`; empty for none
  bool whole = false; ///< an access is to all of a variable
  Address start = 0;  ///< of a variable; 0 where unknown
  std::uint64_t size = 0;
  std::vector<Frame> stack;
  SourcePlace place;
};

Object describe_object(const Finding& finding, const std::vector<Side>& sides, const SymbolTable& symbols,
                       const SourceText& sources);

/// The same where it stands for what one access touches of it: "'table' (bytes 12-15 of 40)".
std::string accessed_words(const Object& object, const AccessDescription& access);

/// The stack variable that holds `address`, by the frames that the finding names.
std::optional<Variable> stack_variable(const Finding& finding, const SymbolTable& symbols, Address address);

/// The place of the frame that a reader should look at.
SourcePlace place_of(const std::vector<Frame>& stack);
/// A function that this place calls made the access, such as a container's: no directive at the place changes how.
bool is_in_call(const Side& side);
/// "line 7" where the reader looks at the same file already, else "file.c:7".
std::string place_words(const SourcePlace& place, const std::vector<Frame>& stack, const SourcePlace& seen_from,
                        const SourceText& sources);

/// The checker's cause, made more precise by what only source lines and variables tell: tasks or threads that execute
/// one line which changes one variable, as in `sum += x`, lack an atomic update or a reduction rather than an order.
Cause cause_of(const Finding& finding, const std::vector<Side>& sides, const Object& object, Codes& codes);

struct CauseWords {
  std::string why;    ///< why nothing orders the accesses
  std::string advice; ///< what to change, if the checker does not name the place
};
/// Why, where threads do not wait for each other.
inline constexpr std::string_view no_barrier_between = "no barrier separates the two: a thread that finishes the first "
                                                       "may start the second while others are still in the first";
/// `unawaited`: the task that nobody waits for, as it reads in a sentence.
CauseWords cause_words(Cause cause, const Finding& finding, const std::vector<Side>& sides, const Object& object,
                       const std::string& unawaited);

/// `fix` is the checker's word (a directive, a clause, or a sentence), `advice` the cause's general one.
struct FixWords {
  std::string sentence;
  std::optional<Edit> edit; ///< where the change can be made without a person's judgement
};
FixWords fix_words(const std::string& fix, const std::string& advice, const SourcePlace& place, const Object& object,
                   SourceText& sources);

} // namespace fletcher::reports
