// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records accesses in shadow memory and finds those that no synchronisation orders: FastTrack's rules (Flanagan,
// Freund, PLDI 2009) over strands instead of threads, filtered by locksets. Relies on order/ for happens-before.
#pragma once

#include "checker/access/call_tree.hpp"
#include "checker/access/cells/cell_row.hpp"
#include "checker/access/cells/shadow.hpp"
#include "checker/access/cells/told_bytes.hpp"
#include "checker/access/locksets.hpp"
#include "checker/access/reported_pairs.hpp"
#include "checker/access/thread_state.hpp"
#include "checker/order/happens_before.hpp"
#include "checker/order/sweep.hpp"
#include "checker/predict/prediction.hpp"

#include <bit>
#include <map>
#include <vector>

namespace fletcher::access {

/// A race as the access path met it; rules/ makes a finding of it.
struct Race {
  const ThreadState* thread;
  Address address; ///< first byte that both touch
  /// What each is known to touch around it: of the earlier one, and of a part of a loop's accesses, in the granule
  /// only.
  Bytes later_bytes, earlier_bytes;
  StrandId later, earlier;
  order::RecordId later_task, earlier_task; ///< of an undeferred task, where it went on in its creator's strand
  ContextId later_site, earlier_site;
  Kind later_kind, earlier_kind;
  bool predicted; ///< this run's order of locks kept them apart, another one does not
  bool assigned;  ///< one thread did both, in units of work that it had by chance
  bool divided;   ///< that are parts of what a static loop gives it in a team of this size
  bool alone;     ///< one thread did both because it is the whole team
};

class RaceListener {
public:
  RaceListener() = default;
  RaceListener(const RaceListener&) = delete;
  RaceListener& operator=(const RaceListener&) = delete;
  virtual ~RaceListener() = default;
  virtual Repeats race(const Race& race) = 0;
};

/// Thread-safe: each thread passes its own ThreadState.
class RaceCheck {
public:
  RaceCheck(order::StrandTables& tables, CallTree& calls, Locksets& locksets, RaceListener& listener,
            unsigned address_bits, bool observed_order_counts, const MemoryMap* memory);
  bool ok() const noexcept { return shadow_.ok(); }

  /// A write that each member of a larger team would make.
  void race_with_like(ThreadState& thread, Address address, std::size_t size, Address pc);
  /// The running task may be the only one of its team that knows of the memory.
  bool may_be_own(ThreadState& thread, Address address);
  /// Points the thread at the shadow.
  void attach(ThreadState& thread);
  /// One access to bytes at `granule` (aligned to 8) that is not found in the first cell; `need` as Cell::need.
  [[gnu::noinline]] static void check(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  /// The same, the few instructions first that mostly do.
  static void check_at_once(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  /// The same, whatever is found there.
  [[gnu::noinline]] void check_thoroughly(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  /// The same for a read where thread.same_past() and the thread has settled such reads before: false where it has not.
  static bool renew_settled(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept;
  /// The same for a read in the section of a lock (in_section.cpp).
  static bool read_again_in_section(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept;
  /// The same for a read between two turns of a thread that spins at a fence, of the only granule that it reads so.
  static bool repeats_at_rest(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept;
  std::size_t told_of_reads(const ThreadState& thread, const std::uint64_t* cells, std::size_t count) const noexcept {
    return row_.told_of_reads(cells, thread.plane_distance, count, thread.alike);
  }
  /// All bytes of two granules that follow each other.
  void check_pair(ThreadState& thread, Address granule, Kind kind, Address pc);
  /// All bytes of the pieces; `whole`: of whole granules only.
  template <bool whole> void check_strided(ThreadState& thread, const Pieces& pieces, Kind kind, Address pc);
  /// The bytes [address, end), as far as no question has to be asked: the end of what is recorded before or now.
  Address range_quickly(ThreadState& thread, Address address, Address end, Kind kind, Address pc);
  /// All of them, after begin().
  void range_thoroughly(ThreadState& thread, Address address, Address end, Kind kind, Address pc);
  /// What every recorded access needs. False: not checked.
  bool begin(ThreadState& thread, Address address);
  /// An access of which the place is known: recording it is all that is left to do.
  void record(ThreadState& thread, Address granule, Cell now);
  /// All bytes of `count` granules from `first` on. A few instructions for four granules where nobody else has been.
  void record_row(ThreadState& thread, Address first, std::size_t count, Kind kind, ContextId place);
  ContextId site(ThreadState& thread, Address pc);

  /// Memory whose accesses belong to the runtime (reduction copies that a thread shares among its tasks).
  void ignore(Address address, std::size_t size);
  /// Memory that the tasks of a thread use as their copy in a reduction, or that the copy owns.
  void use_as_copy(Address address, std::size_t size);
  void end_of_life(ThreadState& thread, Address address, std::size_t size, MemoryKind kind, Address pc);
  /// A section begins: mostly it accesses what the last one did, and so did the one on another thread meanwhile.
  void prefetch_section(const ThreadState& thread) noexcept {
    prediction_.log().prefetch();
    const Address granule = thread.last_in_section;
    if (granule == 0) return;
    __builtin_prefetch(reinterpret_cast<const void*>(granule), 1);
    __builtin_prefetch(shadow_.row(0, granule), 1);
    __builtin_prefetch(shadow_.row(Shadow::planes - 1, granule), 1);
  }
  Shadow& shadow() noexcept { return shadow_; }
  /// From now on what is reported depends on the teams of the two tasks.
  void league_begins() noexcept { leagues_.store(true, std::memory_order_relaxed); }
  /// Which strands its cells and prediction need; threads may record accesses meanwhile.
  void name_past(order::Sweep& sweep, StrandId horizon);
  /// A horizon passes: no thread accesses anything.
  void at_horizon();
  /// The numbers of strands begin anew: no thread accesses anything.
  void at_restart();
  /// Forgets all accesses, at any moment but while a horizon passes: later ones do not meet them.
  void forget() noexcept {
    prediction_.log().lose();
    shadow_.clear_all();
  }
  /// Sections of locks are recorded here: where only their order separates two accesses, it is decided by prediction.
  predict::SyncLog& sync_log() noexcept { return prediction_.log(); }
  /// What `reader`, a strand on this thread, does next may depend on what `writer` did.
  void read_from(ThreadState& thread, StrandId reader, StrandId writer);
  /// The same, of what the thread does now.
  void read_from(ThreadState& thread, StrandId writer);
  /// Reads of what others wrote have to be reported to prediction.
  bool reads_matter() noexcept { return prediction_.log().active().load(std::memory_order_acquire); }

private:
  struct Before;
  static ContextId known_site(ThreadState& thread, Address pc) noexcept;
  // The parts of check(), each going on with the next where it cannot decide.
  [[gnu::noinline]] static void record_beside(ThreadState& thread, Address granule, std::uint64_t need, Address pc,
                                              Cell now);
  static void check_alone(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  [[gnu::noinline]] static void check_further(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  [[gnu::noinline]] static void check_further_same_past(ThreadState& thread, Address granule, std::uint64_t need,
                                                        Address pc);
  [[gnu::noinline]] static void check_full(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  static bool passes_crowd(ThreadState& thread, Address granule, Cell first, std::uint64_t need, Address pc);
  static bool keeps(ThreadState& thread, Address granule, Cell first, std::uint64_t need, Address pc) noexcept;
  /// An access to the granule has to ask for those that threads keep of it: of a crowd, or reads beside writes.
  bool has_kept(Address granule, std::uint64_t first, Cell now) const noexcept {
    const Cell cell(first);
    return cell.further() == Shadow::planes - 1 && (cell.is_crowd() ? !cell.admits(now.kind()) : writes(now.kind())) &&
           shared_.touches(granule);
  }
  bool kept_at_first(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  [[gnu::noinline]] bool sample(ThreadState& thread, Address granule, Cell now) noexcept;
  void meet_kept(ThreadState& thread, Address granule, std::uint64_t first, Cell now);
  [[gnu::noinline]] bool meets_reader(ThreadState& thread, StrandId reader);
  [[gnu::noinline]] bool read_in_crowd(ThreadState& thread, Address granule, Cell now);
  /// Where a thread's reads go that find no better place: not to the first one, so that what threads keep stays.
  static unsigned plane_in_crowd(const ThreadState& thread) noexcept {
    return 1 + number(thread.id) % (Shadow::planes - 1);
  }
  [[gnu::noinline]] bool read_among_readers(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  static bool told_by_twin(const ThreadState& thread, Address granule, std::uint64_t need) noexcept;
  static bool was_unrecorded(ThreadState& thread, Address granule, std::uint64_t need) noexcept;
  [[gnu::noinline]] static bool told_with_writers(const ThreadState& thread, Address granule,
                                                  std::uint64_t need) noexcept;
  static bool stays(const ThreadState& thread, Cell cell) noexcept;
  static bool renew(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept; // renew.cpp
  bool renew_first(Address granule, std::uint64_t found, Cell now) noexcept;
  // in_section.cpp
  static bool made_again_in_section(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept;
  static bool write_again_in_section(ThreadState& thread, Address granule, Cell now) noexcept;
  [[gnu::noinline]] static bool check_in_section(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  bool record_in_section(ThreadState& thread, Address granule, Cell now);
  bool meets_earlier_unit(ThreadState& thread, StrandId past, Kind now, Address granule);
  unsigned give_way_in_section(ThreadState& thread, const Found& found, Cell now);
  unsigned told_twice(const Found& found, Cell now) const noexcept;
  static bool loses_write(const Found& found, unsigned to, Cell now) noexcept;
  static bool overwritten(const Found& found, Cell cell) noexcept;
  /// Whether a read that finds no room among a granule's cells may go unrecorded; and what they record.
  enum class Crowd : std::uint8_t { none, reads, with_writes };
  static Crowd crowd_at(ThreadState& thread, Address granule, std::uint64_t need, Address pc) noexcept;
  template <auto recorded>
  static void record_quickly(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  bool write_over_known(ThreadState& thread, std::uint64_t* cells, std::uint64_t seen, Cell now) noexcept;
  [[gnu::noinline]] void write_among_known(ThreadState& thread, Address granule, std::uint64_t seen, Cell now);
  [[gnu::noinline]] void read_among_known(ThreadState& thread, Address granule, std::uint64_t seen, Cell now);
  [[gnu::noinline]] void record_slowly(ThreadState& thread, Address granule, Cell now);
  [[gnu::noinline]] void record_as_before(ThreadState& thread, Address granule, Cell now);
  [[gnu::noinline]] void record_with_care(ThreadState& thread, Address granule, Cell now);
  void check_if_untold(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  std::size_t told_in_further_plane(const ThreadState& thread, const std::uint64_t* cells, std::size_t count,
                                    std::uint64_t strand, std::uint64_t need) const noexcept;
  std::size_t full_of_writes(const ThreadState& thread, const std::uint64_t* cells, std::size_t count) const noexcept;
  bool learn(ThreadState& thread, Address granule, Before& before);
  /// `may_look`: at the cell of a single granule first, which mostly spares the question.
  void fill(Address address, std::size_t count, bool may_look = true) noexcept;
  static bool put(ThreadState& thread, std::uint64_t* first, std::uint64_t seen, Cell now) noexcept;
  static bool record_first(ThreadState& thread, std::uint64_t* cells, Cell now) noexcept;
  static bool record_known(ThreadState& thread, std::uint64_t* cells, Cell now) noexcept;
  static bool told_or_recorded(ThreadState& thread, std::uint64_t* cells, Cell now) noexcept;
  static ContextId remembered_site(ThreadState& thread, Address pc) noexcept;
  ContextId found_site(ThreadState& thread, Address pc);
  bool same_place(Cell now, Cell cell) const noexcept;
  bool plainly_before(ThreadState& thread, Cell past, Cell now);
  bool record_alone(ThreadState& thread, Address granule, Cell now);
  bool record_in_own(ThreadState& thread, Address granule, Cell now);
  bool record_repeated(ThreadState& thread, Address granule, Cell access); // record_repeated.cpp
  [[gnu::noinline]] bool keeps_repeated(ThreadState& thread, Address granule, std::uint64_t need, Address pc);
  bool asks_about(ThreadState& thread, const Found& found, Cell now) const noexcept;
  bool was_reported(const ThreadState& thread, Cell past, Cell now) const noexcept;
  Cell together(Cell first, Cell second) noexcept;
  Cell with_place_beside(ThreadState& thread, Cell cell, Cell now) noexcept;
  bool go_on(ThreadState& thread, Cell cell, Cell& now) const noexcept;
  static Cell with_known_place_beside(ThreadState& thread, Cell cell, Cell now) noexcept;
  /// Tells each place of the cell that touches `bytes`, as a cell of its own.
  template <class Each> void each_place(Cell cell, std::uint8_t bytes, Each each) const;
  /// Of two accesses that conflict: they need not be judged, because others at the same two places were reported.
  enum class Repetition : std::uint8_t {
    none,
    both_stay, ///< whatever keeps them from being a race
    race,      ///< the earlier one gives way, as after a report
  };
  Repetition repetition(const ThreadState& thread, Cell past, Cell now, Address granule) const noexcept;
  bool need_not_judge(const ThreadState& thread, Cell past, Cell now, Address granule) const noexcept {
    return repetition(thread, past, now, granule) != Repetition::none;
  }
  bool open_strand(ThreadState& thread); // record_repeated.cpp
  static bool comes_before_at_once(ThreadState& thread, StrandId past) noexcept;
  [[gnu::noinline]] bool is_found_before(ThreadState& thread, StrandId past) noexcept;
  unsigned plane_of_like(const ThreadState& thread, const Found& found, Cell now) const noexcept;
  Found look(Address granule) const noexcept;
  /// Of a granule's cells, what those of the accessing strand itself come to.
  struct Own {
    bool tell = false; ///< one of them records the access
    unsigned wide = 0; ///< the bytes that the access stands for: its own, and those of cells that it replaces
    unsigned kept = 0; ///< a bit for each cell that it does not replace
    /// The one of an access to other bytes, at another place, that may be recorded by the same cell; none: planes.
    unsigned beside = Shadow::planes;
    std::uint32_t told = 0; ///< by all of them and the access (told_bytes.hpp)
  };
  Own own_cells(const std::uint64_t* cells, unsigned used, Cell now) const noexcept;
  Change decide(ThreadState& thread, Address granule, const Found& found, Cell now);
  bool is_crowd(const Found& found, unsigned kept, Cell now) const noexcept;
  void make_room(ThreadState& thread, const Found& found, std::uint8_t mask, Cell& now, unsigned& kept, Change& change);
  static void remember_unrecorded(ThreadState& thread, Address granule, const Found& found, Cell now) noexcept;
  /// What the first cell says of the further ones, where a bit of `kept` stands for each that is in use.
  static unsigned further_of(unsigned kept) noexcept { return static_cast<unsigned>(std::bit_width(kept >> 1)); }
  template <bool reads>
  bool record_over_all(ThreadState& thread, Address granule, std::uint64_t seen, Cell now) noexcept;
  template <unsigned used, bool reads>
  bool record_over(ThreadState& thread, std::uint64_t* cells, std::uint64_t seen, Cell now) noexcept;
  [[gnu::noinline]] void record_among_others(ThreadState& thread, Address granule, Cell now);
  unsigned own_part(const Found& found, Cell now) const noexcept;
  bool join(const ThreadState& thread, const Found& found, Change& change) const noexcept;
  unsigned give_way(const Found& found, Cell now) const noexcept;
  bool commit(ThreadState& thread, Address granule, const Found& found, const Change& change) noexcept;
  void trim(Address granule, const Found& found, const Change& change) noexcept;
  /// Records an access of whole granules in the first of `count` and in those after it that look alike; tells how many.
  void record_neighbours(ThreadState& thread, Address first, std::size_t here, Cell now, Before& before);
  std::size_t record_alike(ThreadState& thread, Address first, std::size_t count, Cell now);
  std::size_t repeat(ThreadState& thread, const Found& found, const Change& change, Address from,
                     std::size_t count) noexcept;
  enum class Verdict { ordered, harmless, race, predicted };
  Verdict judge(ThreadState& thread, Cell past, Cell now, Address granule);
  Verdict judge_readers(ThreadState& thread, Cell past, Cell now, std::uint8_t mask, Address granule);
  static Cell met_with(Cell past, Cell now, std::uint8_t mask) noexcept;
  void report_places(ThreadState& thread, Address granule, Cell past, Cell access, Verdict verdict);
  void note_reads(ThreadState& thread, Address granule, const Found& found, Cell now);
  void note_next_read(ThreadState& thread, Cell past, Cell now);
  // joint_reads.cpp
  StrandId own_twin(const ThreadState& thread) const noexcept;
  StrandId with_reader(ThreadState& thread, Cell cell, Cell now);
  StrandId of_twins(ThreadState& thread);
  static bool joins_twins(ThreadState& thread, Address granule, Cell first, std::uint64_t need, Address pc) noexcept;
  static bool is_by_twin(const ThreadState& thread, Cell cell, Cell now) noexcept;
  [[gnu::noinline]] void join_twins(ThreadState& thread, const Found& found, Cell& now, unsigned& kept, Change& change);
  std::uint64_t meet_joint(ThreadState& thread, StrandId joint);
  [[gnu::noinline]] bool is_joined(ThreadState& thread, Cell cell, std::uint64_t need);
  bool may_join(const ThreadState& thread, Cell cell, Cell now) const noexcept;
  bool all_before(ThreadState& thread, StrandId joint, order::Levels levels);
  template <class Each> void each_reader(Cell cell, Each each) const;
  bool before(ThreadState& thread, StrandId past, order::Levels levels = order::Levels::all);
  bool still_concurrent(ThreadState& thread, StrandId past);
  void found_concurrent(ThreadState& thread, StrandId past) const noexcept;
  bool is_of_leaf(StrandId past) const noexcept;
  bool assigned_before(const ThreadState& thread, StrandId past) const noexcept;
  bool shared_by_team(ThreadState& thread, StrandId past, Address address) const;
  bool ignored(Address address) const;
  bool copy_of_both(ThreadState& thread, Cell past, Cell now, Address granule) const;
  bool is_copy(Address first, Address last) const;
  bool there_for_team(ThreadState& thread, StrandId past, Address address) const;
  bool known_to_be_shared(const ThreadState& thread, Address address) const noexcept;
  bool handed_over(const ThreadState& thread, StrandId past, Address address) const;
  bool is_variable_of_team(const ThreadState& thread, Address address) const;
  bool per_thread_data(const ThreadState& thread, StrandId past, Address address) const;
  bool passed_on(const ThreadState& thread, StrandId past, Address address) const;
  bool is_in_a_stack(Address address) const;
  order::RecordId task_of(ThreadState& thread, StrandId strand, ContextId site);
  void report(ThreadState& thread, Address granule, Cell past, Cell now, bool predicted);

  order::StrandTables& tables_;
  CallTree& calls_;
  Locksets& locksets_;
  RaceListener& listener_;
  Shadow shadow_;
  CellRow row_;
  SharedGranules shared_;
  predict::Prediction prediction_;
  bool observed_order_counts_;
  const MemoryMap* memory_; ///< may be null
  mutable memory::SpinLock ignored_lock_;
  std::map<Address, Address> ignored_; // begin -> end
  std::map<Address, Address> copies_;  // begin -> end; until end_of_life() says so
  std::atomic<bool> any_ignored_{false}, any_copies_{false};
  std::atomic<bool> leagues_{false};
  /// How many stretches of memory of at least `least_ended` bytes have come to their end.
  static constexpr std::size_t least_ended = 4096;
  std::atomic<std::uint64_t> ended_{0};
  mutable memory::SpinLock attached_lock_;
  std::vector<ThreadState*> attached_; ///< all threads, as long as the checker lives
};

} // namespace fletcher::access
