// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy: drops constructs, or puts their bodies in their place, or drops their clauses.
#include "shrink.hpp"

#include <array>
#include <utility>

namespace fletcher::compiled {
namespace {

using Change = void (*)(std::vector<Construct>& body, std::size_t at);

constexpr std::array<Change, 3> changes{
    [](std::vector<Construct>& body, std::size_t at) { body.erase(body.begin() + static_cast<std::ptrdiff_t>(at)); },
    [](std::vector<Construct>& body, std::size_t at) {
      if (body[at].op != Op::task && body[at].op != Op::taskgroup && body[at].op != Op::locked) return;
      const std::vector<Construct> inner = std::move(body[at].body);
      const auto place = body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
      body.insert(place, inner.begin(), inner.end());
    },
    [](std::vector<Construct>& body, std::size_t at) {
      Construct& c = body[at];
      c.depend.clear();
      c.own_copy = c.untied = c.final = false;
      c.priority = 0;
    },
};

/// Does the change to the construct of this number, in the order of the text; false where there are not so many.
bool apply(Construct& in, std::size_t& number, Change change) {
  for (std::size_t i = 0; i < in.body.size(); ++i) {
    // The parts of some constructs are as many as they are.
    const bool fixed = in.op == Op::detached || in.op == Op::sections;
    if (!fixed && number-- == 0) {
      change(in.body, i);
      return true;
    }
    if (apply(in.body[i], number, change)) return true;
  }
  return false;
}

std::size_t size(const Construct& construct) {
  std::size_t total = construct.depend.size() + construct.own_copy + construct.untied + construct.final + 1;
  for (const Construct& inner : construct.body) total += size(inner);
  return total;
}

} // namespace

Program shrink(Program program, const std::function<bool(Program&)>& differs, unsigned attempts) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Change change : changes) {
      for (std::size_t number = 0;; ++number) {
        Program candidate = program;
        std::size_t left = number;
        if (!apply(candidate.region, left, change)) break;
        if (size(candidate.region) == size(program.region)) continue;
        if (attempts-- == 0) return program;
        if (!differs(candidate)) continue;
        program = std::move(candidate);
        smaller = true;
        --number;
      }
    }
  }
  return program;
}

} // namespace fletcher::compiled
