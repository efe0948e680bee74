// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grammar of random programs.
#include "generate.hpp"

#include <algorithm>

namespace fletcher::property {
namespace {

class Generator {
public:
  Generator(Random& random, const GeneratorOptions& options)
      : random_(random), options_(options), budget_(options.budget / 2 + random.below(options.budget + 1)),
        loops_(options.loops && random.percent(30) ? 35 : 0) {}

  Program run() {
    Program program;
    program.variables = options_.variables;
    program.root.op = Op::block;
    if (random_.percent(30)) constructs(program.root, Place{});
    program.root.body.push_back(parallel(Place{}));
    if (random_.percent(40)) constructs(program.root, Place{});
    number_constructs(program);
    return program;
  }

private:
  struct Place {
    unsigned depth = 0;
    unsigned parallel_depth = 0;
    bool taskgroup = false; ///< inside one, by this task or an ancestor in the same team
    bool final = false;
  };

  Construct make(Op op) {
    Construct c;
    c.op = op;
    if (budget_ > 0) --budget_;
    return c;
  }

  Construct access() {
    Construct c = make(Op::access);
    c.variable = random_.below(options_.variables);
    const bool write = random_.percent(60);
    const bool atomic = random_.percent(options_.atomics);
    c.access = atomic ? (write ? access::Kind::atomic_write : access::Kind::atomic_read)
                      : (write ? access::Kind::write : access::Kind::read);
    return c;
  }

  /// Locks are nested in the order of their numbers only, and nothing inside waits: no deadlock.
  Construct locked(std::uint32_t first) {
    Construct c = make(Op::locked);
    c.lock = first + random_.below(2);
    c.lock_kind = random_.percent(50) ? MutexKind::critical : MutexKind::lock;
    const std::uint32_t count = 1 + random_.below(2);
    for (std::uint32_t i = 0; i < count; ++i) c.body.push_back(access());
    if (random_.percent(options_.work_under_locks)) c.body.push_back(sheltered());
    if (c.lock < 2 && random_.percent(20)) {
      Construct inner = locked(c.lock + 1);
      inner.lock_kind = c.lock_kind;
      c.body.push_back(std::move(inner));
    }
    return c;
  }

  /// Accesses by other tasks, all over before the construct is.
  Construct sheltered() {
    Construct c = make(random_.percent(50) ? Op::task : Op::parallel);
    if (c.op == Op::task) {
      c.traits.undeferred = true;
      c.body.push_back(access());
      return c;
    }
    c.number = 2;
    Construct phase = make(Op::phase);
    for (int member = 0; member < 2; ++member) {
      phase.body.emplace_back();
      if (random_.percent(70)) phase.body.back().body.push_back(access());
    }
    c.body.push_back(std::move(phase));
    return c;
  }

  std::vector<Dependence> dependences(bool exclusive_sets) {
    std::vector<Dependence> list;
    const std::uint32_t count = 1 + random_.below(3);
    for (std::uint32_t i = 0; i < count; ++i) {
      Dependence item;
      item.address = 1 + random_.below(options_.dependence_addresses);
      const std::uint32_t kind = random_.below(exclusive_sets ? 14 : 9);
      item.type = kind < 4    ? DependenceType::in
                  : kind < 6  ? DependenceType::out
                  : kind < 8  ? DependenceType::inout
                  : kind < 9  ? DependenceType::inout
                  : kind < 12 ? DependenceType::mutexinoutset
                              : DependenceType::inoutset;
      if (kind == 8 && random_.percent(30)) item = {0, DependenceType::out, true};
      list.push_back(item);
    }
    return list;
  }

  Construct task(Place place) {
    Construct c = make(Op::task);
    c.traits.undeferred = random_.percent(15);
    c.traits.untied = random_.percent(20);
    c.traits.final = random_.percent(5);
    if (random_.percent(50)) c.depend = dependences(!c.traits.undeferred && !place.final);
    const bool deferred = !c.traits.undeferred && !place.final;
    if (deferred && !c.traits.final && place.parallel_depth > 0 && random_.percent(options_.detach))
      c.event = ++events_;
    // What works under the exclusion of its siblings comes without constructs of its own: see GeneratorOptions.
    const bool exclusive = std::any_of(c.depend.begin(), c.depend.end(),
                                       [](const Dependence& d) { return d.type == DependenceType::mutexinoutset; });
    if (exclusive) {
      for (std::uint32_t i = 1 + random_.below(3); i > 0; --i) c.body.push_back(access());
      if (random_.percent(options_.work_under_locks)) c.body.push_back(sheltered());
    } else {
      Place inside = place;
      inside.final = place.final || c.traits.final;
      ++inside.depth;
      constructs(c, inside);
    }
    // Without order by others, a detached task fulfils its own event.
    if (c.event != 0 && !options_.foreign_order) {
      Construct own = make(Op::fulfill);
      own.number = c.event;
      c.body.insert(c.body.begin() + random_.below(c.body.size() + 1), own);
    }
    if (options_.cancel && place.taskgroup && deferred && random_.percent(5)) c.body.push_back(make(Op::cancel));
    return c;
  }

  Construct loop(std::uint32_t members, Place place) {
    Construct c = make(Op::loop);
    const bool doacross = random_.percent(50);
    c.dynamic = options_.moving && random_.percent(50);
    c.divided = options_.moving && !c.dynamic && c.id % 2 == 0;
    const std::uint32_t iterations = members + random_.below(3);
    for (std::uint32_t i = 0; i < iterations; ++i) {
      Construct iteration;
      const std::uint32_t before = random_.below(2), within = random_.below(3), after = random_.below(2);
      for (std::uint32_t k = 0; k < before; ++k) iteration.body.push_back(access());
      if (doacross) {
        for (std::uint32_t sinks = 1 + random_.below(2); sinks > 0; --sinks) {
          iteration.body.push_back(make(Op::sink));
          iteration.body.back().number = 1 + random_.below(2);
        }
        for (std::uint32_t k = 0; k < within; ++k) iteration.body.push_back(access());
        iteration.body.push_back(make(Op::source));
      } else if (random_.percent(80)) {
        Construct ordered = make(Op::ordered);
        for (std::uint32_t k = 0; k < within; ++k) ordered.body.push_back(access());
        iteration.body.push_back(std::move(ordered));
      }
      for (std::uint32_t k = 0; k < after; ++k) iteration.body.push_back(access());
      if (random_.percent(15)) iteration.body.push_back(task(place));
      c.body.push_back(std::move(iteration));
    }
    return c;
  }

  Construct phase(std::uint32_t members, Place place) {
    Construct c = make(Op::phase);
    for (std::uint32_t i = 0; i < members; ++i) {
      c.body.emplace_back();
      if (random_.percent(80)) constructs(c.body.back(), place);
    }
    return c;
  }

  Construct parallel(Place place) {
    Construct c = make(Op::parallel);
    c.number = random_.percent(15) ? 1 : 2 + random_.below(2);
    Place inside;
    inside.depth = place.depth + 1;
    inside.parallel_depth = place.parallel_depth + 1;
    const std::uint32_t phases = 1 + random_.below(place.parallel_depth == 0 ? 3 : 2);
    for (std::uint32_t i = 0; i < phases; ++i) {
      const bool is_loop = random_.percent(loops_), is_single = options_.moving && !is_loop && random_.percent(15);
      Construct part = is_loop ? loop(c.number, inside) : is_single ? make(Op::single) : phase(c.number, inside);
      if (is_single) constructs(part, inside);
      part.nowait = random_.percent(30);
      const std::uint32_t kind = random_.below(4);
      part.barrier = is_loop || is_single || kind == 0 ? SyncKind::barrier_workshare
                     : kind == 1                       ? SyncKind::barrier_internal
                                                       : SyncKind::barrier_explicit;
      c.body.push_back(std::move(part));
    }
    return c;
  }

  Construct construct(Place place) {
    const std::uint32_t kind = random_.below(100);
    const bool may_task = place.depth < 5 && (options_.serial_tasks || place.parallel_depth > 0);
    if (may_task && kind >= 45 && kind < 75) return task(place);
    if (kind >= 75 && kind < 80) return make(Op::taskwait);
    if (kind >= 80 && kind < 83) {
      Construct c = make(Op::taskwait_depend);
      c.depend = dependences(false);
      return c;
    }
    if (place.depth < 5 && kind >= 83 && kind < 87) {
      Construct c = make(Op::taskgroup);
      Place inside = place;
      inside.taskgroup = true;
      ++inside.depth;
      constructs(c, inside);
      return c;
    }
    if (kind >= 87 && kind < 89) return make(Op::taskyield);
    if (options_.foreign_order && kind >= 89 && kind < 92 && events_ > 0) {
      Construct c = make(Op::fulfill);
      c.number = 1 + random_.below(events_);
      return c;
    }
    if (options_.foreign_order && kind >= 92 && kind < 95) {
      Construct c = make(random_.percent(50) ? Op::release : Op::acquire);
      c.number = random_.below(2);
      return c;
    }
    if (options_.nested && place.parallel_depth < 2 && kind >= 95 && kind < 98) return parallel(place);
    return random_.percent(options_.locks) ? locked(0) : access();
  }

  void constructs(Construct& into, Place place) {
    const std::uint32_t count = 1 + random_.below(4);
    for (std::uint32_t i = 0; i < count && budget_ > 0; ++i) into.body.push_back(construct(place));
  }

  Random& random_;
  const GeneratorOptions& options_;
  std::uint32_t budget_;
  const unsigned loops_; ///< chance of a phase to be a loop
  std::uint32_t events_ = 0;
};

} // namespace

Program generate(Random& random, const GeneratorOptions& options) { return Generator(random, options).run(); }

} // namespace fletcher::property
