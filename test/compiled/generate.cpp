// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grammar of random programs.
#include "generate.hpp"

#include "test/property/random.hpp"

#include <algorithm>

namespace fletcher::compiled {
namespace {

class Generator {
public:
  Generator(std::uint64_t seed, Kind kind)
      : random_(seed), kind_(kind), budget_(10 + random_.below(30)), variables_(3 + random_.below(8)),
        locks_(random_.percent(40) ? 25 : 0), atomics_(random_.percent(40) ? 30 : 5) {}

  Program run() {
    Program program;
    if (random_.percent(30)) program.before.body.push_back(access());
    program.region = make(Op::parallel);
    const bool plain = random_.percent(50); // one single with tasks
    const std::uint32_t parts = plain ? 1 : 2 + random_.below(4);
    for (std::uint32_t i = 0; i < parts; ++i) program.region.body.push_back(plain ? single() : part());
    if (random_.percent(30)) program.after.body.push_back(access());
    program.variables = variables_;
    return program;
  }

private:
  struct Place {
    unsigned depth = 0;
    bool final = false;
    bool untied = false;
    bool nested = false;  ///< in an inner region
    bool implicit = true; ///< the task is a member's
  };

  Construct make(Op op) {
    Construct c;
    c.op = op;
    if (budget_ > 0) --budget_;
    return c;
  }

  Construct access() {
    Construct c = make(Op::access);
    c.variable = random_.below(variables_);
    const bool atomic = random_.percent(atomics_);
    const std::uint32_t kind = random_.below(5);
    c.form = kind < 2    ? (atomic ? Form::atomic_read : Form::read)
             : kind == 2 ? (atomic ? Form::atomic_update : Form::update)
                         : (atomic ? Form::atomic_write : Form::write);
    return c;
  }

  /// Inner locks have greater numbers, so that nobody waits in a circle.
  Construct locked(std::uint32_t first) {
    Construct c = make(Op::locked);
    c.lock = first + random_.below(lock_count - first);
    for (std::uint32_t i = 1 + random_.below(2); i > 0; --i) c.body.push_back(access());
    if (c.lock + 1 < lock_count && random_.percent(20)) c.body.push_back(locked(c.lock + 1));
    return c;
  }

  std::vector<Dependence> dependences(bool sets) {
    std::vector<Dependence> list;
    for (std::uint32_t address = 0; address < dependence_addresses; ++address) {
      if (!random_.percent(40)) continue;
      Dependence item;
      item.address = address;
      const std::uint32_t kind = random_.below(sets ? 14 : 10);
      item.type = kind < 4                                       ? DependenceType::in
                  : kind < 7                                     ? DependenceType::out
                  : kind < 10                                    ? DependenceType::inout
                  : kind < 12 || kind_.compiler == Compiler::gcc ? DependenceType::mutexinoutset
                                                                 : DependenceType::inoutset;
      list.push_back(item);
    }
    return list;
  }

  Construct task(Place place) {
    Construct c = make(Op::task);
    c.undeferred = random_.percent(12);
    c.final = random_.percent(6);
    c.untied = !c.undeferred && !place.final && random_.percent(12);
    c.own_copy = random_.percent(25);
    c.priority = random_.percent(10) ? 1 + random_.below(3) : 0;
    const bool deferred = !c.undeferred && !place.final;
    if (random_.percent(60)) c.depend = dependences(place.implicit && deferred && !c.final);
    if (exclusive(c)) {
      for (std::uint32_t i = 1 + random_.below(2); i > 0; --i) c.body.push_back(access());
      return c;
    }
    Place inside = place;
    inside.final = place.final || c.final;
    inside.untied = c.untied;
    inside.implicit = false;
    ++inside.depth;
    constructs(c, inside, 3);
    return c;
  }

  static bool exclusive(const Construct& task) {
    return std::any_of(task.depend.begin(), task.depend.end(),
                       [](const Dependence& item) { return item.type == DependenceType::mutexinoutset; });
  }

  Construct detached(Place place) {
    Construct c = make(Op::detached);
    c.depend = dependences(false);
    c.body.resize(3);
    ++place.depth;
    place.implicit = false;
    constructs(c.body[0], place, 2);
    for (Construct* part : {&c.body[1], &c.body[2]})
      if (random_.percent(60)) part->body.push_back(access());
    return c;
  }

  Construct taskloop(Place place) {
    Construct c = make(Op::taskloop);
    c.chunk = 1 + random_.below(2);
    c.count = c.chunk * (1 + random_.below(3));
    c.nowait = random_.percent(40);
    c.own_copy = random_.percent(25);
    ++place.depth;
    place.implicit = false;
    constructs(c, place, 2);
    return c;
  }

  Construct inner_region(Place place) {
    Construct c = make(Op::parallel);
    c.count = 2;
    ++place.depth;
    place.nested = place.implicit = true;
    place.final = false;
    for (std::uint32_t parts = 1 + random_.below(3); parts > 0; --parts) {
      const std::uint32_t kind = random_.below(4);
      Construct part = make(kind == 0 ? Op::masked : kind == 1 ? Op::barrier : kind == 2 ? Op::loop : Op::everybody);
      part.count = 2;
      part.nowait = random_.percent(40);
      if (kind != 1) constructs(part, place, 2);
      c.body.push_back(std::move(part));
    }
    return c;
  }

  Construct construct(Place place) {
    const std::uint32_t kind = random_.below(100);
    const bool may_nest = place.depth < 5, whole = !place.untied;
    if (may_nest && kind >= 45 && kind < 74) return task(place);
    if (kind >= 74 && kind < 80) return make(Op::taskwait);
    if (kind >= 80 && kind < 83 && whole) {
      Construct c = make(Op::taskwait_depend);
      c.depend = dependences(false);
      if (c.depend.empty()) c.op = Op::taskwait;
      return c;
    }
    if (may_nest && whole && kind >= 83 && kind < 88) {
      Construct c = make(Op::taskgroup);
      ++place.depth;
      constructs(c, place, 3);
      return c;
    }
    if (may_nest && whole && kind >= 88 && kind < 92) return taskloop(place);
    if (may_nest && whole && kind >= 92 && kind < 95 && !place.final && kind_.detach) return detached(place);
    if (kind == 95 && whole) return make(Op::taskyield);
    if (may_nest && whole && kind >= 96 && kind < 98 && !place.nested && !kind_.detach) return inner_region(place);
    return random_.percent(locks_) ? locked(0) : access();
  }

  void constructs(Construct& into, Place place, std::uint32_t most) {
    const std::uint32_t count = 1 + random_.below(most);
    into.body.push_back(construct(place));
    for (std::uint32_t i = 1; i < count && budget_ > 0; ++i) into.body.push_back(construct(place));
  }

  Construct single() {
    Construct c = make(Op::single);
    ++units_;
    while (budget_ > 3) constructs(c, Place{}, 4);
    return c;
  }

  /// Of the region: what the members do together.
  Construct part() {
    const std::uint32_t kind = random_.below(100);
    Construct c = make(Op::everybody);
    std::uint32_t most = 2;
    if (kind < 15) {
      c.op = Op::barrier;
      return c;
    }
    if (kind < 45 && units_ < most_units) {
      c.op = Op::single;
      ++units_;
      most = 6;
    } else if (kind < 60) {
      c.op = Op::masked;
      most = 5;
    } else if (kind < 70 && units_ == 0) {
      c.op = Op::sections;
      units_ += 2;
    } else if (kind < 85) {
      c.op = Op::loop;
      c.count = 2 + random_.below(2); // at most as many as there are unlike members: see answer.cpp
      c.dynamic = units_ == 0 && c.count == 2 && random_.percent(50);
      if (c.dynamic) units_ += 2;
    }
    c.nowait = random_.percent(50);
    if (c.op == Op::sections) {
      c.body.resize(2);
      for (Construct& section : c.body) constructs(section, Place{}, 3);
    } else {
      constructs(c, Place{}, most);
    }
    return c;
  }

  static constexpr unsigned most_units = 2; ///< each of any member's: all assignments are looked at

  property::Random random_;
  const Kind kind_;
  std::uint32_t budget_;
  const std::uint32_t variables_;
  const unsigned locks_, atomics_;
  unsigned units_ = 0;
};

} // namespace

Program generate(std::uint64_t seed, Kind kind) {
  Program program = Generator(seed, kind).run();
  program.seed = seed;
  return program;
}

} // namespace fletcher::compiled
