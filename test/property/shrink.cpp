// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy delta debugging over the tree: drop a subtree, put a construct's body in its place, drop a clause.
#include "shrink.hpp"

#include <utility>

namespace fletcher::property {
namespace {

class Shrinker {
public:
  Shrinker(Program program, const std::function<bool(const Program&)>& fails)
      : best_(std::move(program)), fails_(fails) {}

  Program run() {
    for (bool smaller = true; smaller;) smaller = pass();
    return std::move(best_);
  }

private:
  /// Keeps what `change` did to the program if it still fails.
  template <class Change> bool attempt(Change change) {
    Program saved = best_;
    change();
    number_constructs(best_);
    if (fails_(best_)) return true;
    best_ = std::move(saved);
    return false;
  }

  bool pass() {
    bool any = false;
    std::vector<std::size_t> path;
    visit(path, any);
    return any;
  }

  /// Finds the construct anew after each change: the path to it stays, its address does not.
  Construct& at(const std::vector<std::size_t>& path) {
    Construct* c = &best_.root;
    for (const std::size_t step : path) c = &c->body[step];
    return *c;
  }

  static bool replaceable(Op op) {
    return op == Op::task || op == Op::taskgroup || op == Op::locked || op == Op::ordered;
  }

  void visit(std::vector<std::size_t>& path, bool& any) {
    for (std::size_t i = at(path).body.size(); i-- > 0;) {
      if (attempt([&] { at(path).body.erase(at(path).body.begin() + static_cast<std::ptrdiff_t>(i)); })) {
        any = true;
        continue;
      }
      if (replaceable(at(path).body[i].op) && attempt([&] {
            auto& body = at(path).body;
            const auto inner = std::move(body[i].body);
            const auto place = body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
            body.insert(place, inner.begin(), inner.end());
          })) {
        any = true;
        continue;
      }
      path.push_back(i);
      clauses(path, any);
      visit(path, any);
      path.pop_back();
    }
  }

  void clauses(const std::vector<std::size_t>& path, bool& any) {
    for (std::size_t i = at(path).depend.size(); i-- > 0;)
      any |= attempt([&] { at(path).depend.erase(at(path).depend.begin() + static_cast<std::ptrdiff_t>(i)); });
    const auto clear = [&](auto member) {
      if (member(at(path)) != 0) any |= attempt([&] { member(at(path)) = 0; });
    };
    clear([](Construct& c) -> bool& { return c.traits.undeferred; });
    clear([](Construct& c) -> bool& { return c.traits.final; });
    clear([](Construct& c) -> bool& { return c.traits.untied; });
    clear([](Construct& c) -> bool& { return c.nowait; });
    clear([](Construct& c) -> bool& { return c.dynamic; });
    clear([](Construct& c) -> bool& { return c.divided; });
    clear([](Construct& c) -> std::uint32_t& { return c.event; });
    if (at(path).op == Op::parallel && at(path).number > 1) any |= attempt([&] { --at(path).number; });
  }

  Program best_;
  const std::function<bool(const Program&)>& fails_;
};

} // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  return Shrinker(std::move(program), fails).run();
}

} // namespace fletcher::property
