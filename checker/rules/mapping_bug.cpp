// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/mapping_bug.hpp"

#include "checker/rules/describe.hpp"
#include "checker/rules/mapping_words.hpp"

#include <algorithm>
#include <string>

namespace fletcher::rules {

using access::Bytes;
using access::Kind;
using mapping::Fault;
using mapping::Problem;

namespace {

std::string bytes_words(std::size_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

std::string access_words(Kind kind, std::size_t size) {
  return std::string(access::writes(kind) ? "write" : "read") + " of " + bytes_words(size);
}

constexpr Address first_page = 4096; ///< of which a process has nothing

/// Where the access is, seen from the section that is mapped.
std::string distance_words(const Problem& p) {
  const auto size = static_cast<std::ptrdiff_t>(p.size);
  if (p.offset >= size)
    return p.offset == size ? "right after" : bytes_words(static_cast<std::size_t>(p.offset - size)) + " after";
  return bytes_words(static_cast<std::size_t>(-p.offset)) + " before";
}

struct Words {
  std::string message, written, fix;
};

Words words_of(const Problem& p, Kind kind) {
  const std::string access = access_words(kind, p.bytes);
  const bool has_host = p.host_base != 0;
  switch (p.fault) {
  case Fault::beyond:
    return {"the " + access + " on the device is " + distance_words(p) + " the " + bytes_words(p.size) +
                (has_host ? " " + std::string(mapping_words::beyond) : " that are allocated there"),
            "",
            has_host
                ? "extend the array section in the map clause to cover all that the device uses, or correct the index"
                : "allocate all that the device uses, or correct the index"};
  case Fault::unmapped:
    return {"the " + access + " on the device is to memory that " +
                (has_host ? "{object} was mapped to; it is not mapped any more" : "is freed"),
            "", has_host ? "unmap it after its last use on the device" : "free it after its last use on the device"};
  case Fault::undefined:
    return {"the device reads " + bytes_words(p.bytes) + (has_host ? " of {object}" : " of its memory") + ", " +
                std::string(mapping_words::undefined) +
                (has_host ? ": they were mapped without a copy to the device" : ""),
            "",
            has_host ? "map it with 'to' or 'tofrom', or write it on the device first"
                     : "write it on the device first, or copy to it"};
  case Fault::stale_on_device:
    return {"the device reads an old value of " + bytes_words(p.bytes) +
                " of {object}: " + std::string(mapping_words::stale_on_device),
            std::string(mapping_words::changed_by_host),
            "update the device's copy after the change ('target update to'), or map it "
            "after the change; a map clause copies only what is not mapped already, unless it has 'always'"};
  case Fault::stale_on_host:
    return {"the host reads an old value of " + bytes_words(p.bytes) +
                " of {object}: " + std::string(mapping_words::stale_on_host),
            std::string(mapping_words::changed_by_device),
            p.present ? "copy it back before ('target update from'), or end the data region first"
                      : "map it with 'from' or 'tofrom', or copy it back before it is unmapped ('target update from')"};
  case Fault::replaced:
    return {"the host reads an old value of " + bytes_words(p.bytes) +
                " of {object}: " + std::string(mapping_words::replaced) + ", which was older",
            "the host had changed it here",
            "update the device's copy after the change ('target update to'), or do not copy it back ('map(to: ...)')"};
  case Fault::undefined_on_host:
    return {"the host reads " + bytes_words(p.bytes) + " of {object} " + std::string(mapping_words::undefined_on_host) +
                " written them",
            "", "map it with 'tofrom', write all of it on the device, or map only the part that the device writes"};
  case Fault::used_by_host:
    return {"the host's " + access + " is to memory of a device" + (has_host ? ", the copy of {object}" : ""), "",
            has_host ? "use the host's own copy" : "copy it to the host's memory first ('omp_target_memcpy')"};
  case Fault::nothing_there:
    return {"the " + access + " on the device is to an address without memory" +
                (p.address < first_page ? ": the pointer is null there" : ""),
            "",
            p.address < first_page ? "map what the pointer points to, or set the device's copy of the pointer"
                                   : "map all that the device uses, or correct the index"};
  }
  return {};
}

} // namespace

void MappingBug::begin() {
  if (follows_.load(std::memory_order_acquire)) return;
  {
    const memory::SpinGuard guard(lock_);
    if (known_ == nullptr) known_ = std::make_unique<mapping::KnownLines>();
  }
  if (!follows_.exchange(true)) execution_.watch(*this);
}

void MappingBug::operation(const DataOp& e) {
  access::ThreadState& thread = execution_.thread(e.thread);
  begin();
  if (!execution_.checks_accesses()) return;
  const ContextId place = e.pc == 0 ? ContextId::none : execution_.place(thread, e.pc - 1);
  check_copied(thread, e);
  if (e.kind == DataOpKind::delete_ && e.begin) settle_pointers(e.source);
  // Copies are also of variables that the device has from the beginning.
  const auto is_static = [&](Address on_device) { return memory_ == nullptr || memory_->is_static(on_device); };
  const memory::SpinGuard guard(lock_);
  known_->forget();
  switch (e.kind) {
  case DataOpKind::alloc:
    if (!e.begin) devices_.allocate(e.target, e.source, e.bytes, place);
    return;
  case DataOpKind::delete_:
    if (e.begin) devices_.release(e.source, place);
    return;
  case DataOpKind::to_device:
    if (e.begin && is_static(e.target)) devices_.declare(e.target, e.source, e.bytes);
    if (e.begin) devices_.copy_to_device(e.source, e.target, e.bytes, place);
    return;
  case DataOpKind::from_device:
    if (e.begin && is_static(e.source)) devices_.declare(e.source, e.target, e.bytes);
    if (e.begin) devices_.copy_to_host(e.source, e.target, e.bytes, place);
    return;
  case DataOpKind::associate:
    if (!e.begin) devices_.associate(e.target, e.source, e.bytes, place);
    return;
  case DataOpKind::disassociate:
    if (!e.begin) devices_.disassociate(e.source);
    return;
  case DataOpKind::memset:
    if (e.begin) devices_.device_writes(e.target, e.bytes, place);
    return;
  case DataOpKind::host_change:
    devices_.host_writes(e.source, e.bytes, ContextId::none);
    return;
  }
}

Address MappingBug::original(Address address) {
  if (!follows() || !devices_.may_know(address, 1)) return address;
  const memory::SpinGuard guard(lock_);
  const mapping::Block* const block = devices_.block_on_device(address);
  return block == nullptr || block->host_base == 0 ? address : block->host_base + (address - block->device_base);
}

// What is copied may be more than there is on the host, or be gone there.
void MappingBug::check_copied(access::ThreadState& thread, const DataOp& e) {
  const bool to_device = e.kind == DataOpKind::to_device;
  if (memory_ == nullptr || !e.begin || (!to_device && e.kind != DataOpKind::from_device)) return;
  const Address first = to_device ? e.source : e.target;
  const access::MemoryMap::HeapBlock around = memory_->heap_block(first);
  using Owner = access::MemoryMap::HeapBlock::Owner;
  const bool gone = around.owner == Owner::none && around.end != 0;
  if (!gone && (around.owner != Owner::host || first + e.bytes <= around.end)) return;
  if (thread.strand() == StrandId::none && !constructs::open_strand(thread)) return;
  reporter_.report({Rule::mapping_bug, e.pc - 1, 1}, [&] {
    Finding f;
    f.rule = Rule::mapping_bug;
    f.severity = Severity::error;
    f.message = std::string(to_device ? "the copy to" : "the copy from") + " the device of " + bytes_words(e.bytes) +
                " of {object} " +
                (gone ? std::string(mapping_words::freed)
                      : "goes " + bytes_words(first + e.bytes - around.end) + " past its end");
    f.accesses = {describe_access(thread, to_device ? Kind::read : Kind::write, e.pc - 1, first, e.bytes)};
    f.fix = gone ? "unmap it before it is freed" : "map no more bytes of it than it has";
    return f;
  });
}

void MappingBug::host_memory_changes(access::ThreadState& thread, Address address, std::size_t size) {
  if (!devices_.may_know(address, size)) return;
  const bool outer = !thread.in_checker;
  if (outer) thread.in_checker = true;
  {
    const memory::SpinGuard guard(lock_);
    if (known_ != nullptr) known_->forget();
    devices_.forget_host(address, size);
  }
  if (outer) thread.in_checker = false;
}

void MappingBug::accesses(access::ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc,
                          bool whole) {
  if (thread.in_checker || thread.task == nullptr || size == 0) return;
  const auto extent = whole ? mapping::Extent::whole : mapping::Extent::exact;
  const Bytes bytes{address, address + size};
  if (memory_ != nullptr && memory_->is_device_code(pc)) {
    if (thread.in_tls(address) || (thread.in_stack(address) && !in_frame_of_host(thread, address))) return;
    const access::InChecker inside(thread);
    on_device(thread, bytes, kind, pc, extent);
  } else if (devices_.may_know(address, size)) {
    const access::InChecker inside(thread);
    on_host(thread, bytes, kind, pc, extent);
  }
}

// A kernel is executed on the stack of the thread that submits it, below the frames of the host's functions.
bool MappingBug::in_frame_of_host(const access::ThreadState& thread, Address address) const {
  for (const access::Frame* f = thread.stack.begin(); f != thread.stack.top(); ++f) {
    if (f->stack_pointer == 0 || f->stack_pointer > address) continue;
    return f->body != 0 && !memory_->is_device_code(f->body) && address <= f->frame_pointer;
  }
  return false;
}

// A pointer to the device's copy of what the host's pointer points to.
bool MappingBug::is_set_by_hand(const Word& word) {
  const Address on_device = memory_->word_at(word.on_device);
  if (on_device == 0) return false;
  const Address on_host = memory_->word_at(word.on_host);
  const memory::SpinGuard guard(lock_);
  return devices_.is_copy(on_device, on_host);
}

bool MappingBug::are_set_by_hand(const Problem& problem) {
  if (memory_ == nullptr || problem.fault != Fault::stale_on_host || !problem.present) return false;
  std::vector<Word> words;
  {
    const memory::SpinGuard guard(lock_);
    words = devices_.words_of_host(problem.host_address, problem.bytes);
  }
  return !words.empty() && std::all_of(words.begin(), words.end(), [&](const Word& w) { return is_set_by_hand(w); });
}

// Later nobody can tell any more what the device had there.
void MappingBug::settle_pointers(Address on_device) {
  if (memory_ == nullptr) return;
  constexpr std::size_t most = 1024; // structures, and short arrays of them
  std::vector<Word> old;
  {
    const memory::SpinGuard guard(lock_);
    old = devices_.old_words_of_block(on_device, most);
  }
  for (const Word& word : old) {
    if (!is_set_by_hand(word)) continue;
    const memory::SpinGuard guard(lock_);
    devices_.agree(word);
  }
}

void MappingBug::on_host(access::ThreadState& thread, Bytes bytes, Kind kind, Address pc, mapping::Extent extent) {
  std::optional<Problem> problem;
  if (access::writes(kind)) {
    const ContextId place = execution_.place(thread, pc);
    const memory::SpinGuard guard(lock_);
    known_->forget();
    devices_.host_writes(bytes.begin, bytes.size(), place);
    problem = devices_.of_device(bytes.begin, bytes.size());
  } else {
    const memory::SpinGuard guard(lock_);
    problem = devices_.host_reads(bytes.begin, bytes.size(), extent);
    if (problem) known_->forget(); // what was reported counts as in order, and what the device writes does not
    if (!problem) problem = devices_.of_device(bytes.begin, bytes.size());
  }
  if (problem && !are_set_by_hand(*problem)) report(thread, *problem, kind, pc);
}

void MappingBug::on_device(access::ThreadState& thread, Bytes bytes, Kind kind, Address pc, mapping::Extent extent) {
  const bool writes = access::writes(kind);
  if (known_->has(thread.id, bytes.begin, bytes.size(), writes)) return;
  const ContextId place = writes ? execution_.place(thread, pc) : ContextId::none;
  std::optional<Problem> problem;
  bool held = false;
  mapping::DeviceMemory::Valid valid;
  std::uint32_t generation = 0;
  {
    const memory::SpinGuard guard(lock_);
    generation = known_->generation();
    held = devices_.block_on_device(bytes.begin) != nullptr;
    if (held)
      problem = writes ? devices_.device_writes(bytes.begin, bytes.size(), place)
                       : devices_.device_reads(bytes.begin, bytes.size(), extent);
    if (held && !problem) valid = devices_.valid_around(bytes.begin, bytes.size());
  }
  if (problem) return report(thread, *problem, kind, pc);
  if (valid.access && valid.end - valid.begin > bytes.size())
    known_->add_stretch(thread.id, bytes.begin, valid.begin, valid.end, valid.written, generation);
  else if (valid.access)
    known_->add(thread.id, bytes.begin, bytes.size(), writes, generation);
  if (!held) off_device(thread, bytes, kind, pc);
}

// The device accesses what is none of its blocks. It has static memory, stacks and a heap of its own.
void MappingBug::off_device(access::ThreadState& thread, Bytes bytes, Kind kind, Address pc) {
  using Owner = access::MemoryMap::HeapBlock::Owner;
  const access::MemoryMap::HeapBlock around = memory_->heap_block(bytes.begin);
  if (around.owner == Owner::device) return;
  std::optional<Problem> problem;
  std::optional<ContextId> copy;
  {
    const memory::SpinGuard guard(lock_);
    if (around.owner == Owner::host || thread.in_stack(bytes.begin)) {
      const mapping::Block* const known = devices_.copy_of(bytes.begin);
      copy = known != nullptr ? known->mapped_at : ContextId::none;
    } else if (around.end != 0) {
      problem = devices_.outside(bytes.begin, bytes.size(), around.begin, around.end);
    } else { // right before a block is what the allocator keeps of it
      constexpr Address header = 16;
      problem = devices_.outside(bytes.begin, bytes.size(), bytes.begin, bytes.begin + header + 1);
    }
  }
  if (!copy && !problem && around.end == 0) problem = nowhere(bytes);
  if (copy) return report_host_memory(thread, bytes, kind, pc, *copy);
  if (problem) report(thread, *problem, kind, pc);
}

// The device accesses what cannot be accessed, and will die of it. It may be meant for a block that is a copy of a part
// of the host's, where the host has as much.
std::optional<Problem> MappingBug::nowhere(Bytes bytes) {
  if (memory_->around(bytes.begin, ThreadId::none).end != 0) return std::nullopt;
  std::vector<Problem> candidates;
  {
    const memory::SpinGuard guard(lock_);
    candidates = devices_.before(bytes.begin, bytes.size());
  }
  for (const Problem& p : candidates)
    if (memory_->heap_block(p.host_base).end > p.host_address) return p;
  return Problem{.fault = Fault::nothing_there, .address = bytes.begin, .bytes = bytes.size()};
}

AccessDescription MappingBug::describe_access(access::ThreadState& thread, Kind kind, Address pc, Address address,
                                              std::size_t size) {
  return describe(execution_, thread, execution_.place(thread, pc), kind, {address, address + size});
}

void MappingBug::report(access::ThreadState& thread, const Problem& problem, Kind kind, Address pc) {
  if (thread.strand() == StrandId::none && !constructs::open_strand(thread)) return;
  const Address other = execution_.calls().pc(problem.mapped_at);
  reporter_.report({Rule::mapping_bug, pc, other}, [&] {
    const Words words = words_of(problem, kind);
    Finding f;
    f.rule = Rule::mapping_bug;
    f.severity = Severity::error;
    f.message = words.message;
    const bool named = problem.host_base != 0;
    const bool out = problem.fault == Fault::beyond || problem.fault == Fault::unmapped;
    const Address object = !named ? problem.address : out ? problem.host_base : problem.host_address;
    f.accesses = {describe_access(thread, kind, pc, object, problem.bytes)};
    f.object = describe_stack(execution_, object);
    const auto step = [&](const char* message, ContextId place) {
      if (place != ContextId::none) f.steps.push_back({.message = message, .stack = stack(place)});
    };
    if (!words.written.empty()) step(words.written.c_str(), problem.written_at);
    step(named ? "it is mapped here" : "the device's memory is allocated here", problem.mapped_at);
    if (!problem.present)
      step(named ? mapping_words::unmapped_here.data() : "it is freed here", problem.changed_at);
    else if (problem.changed_at != problem.mapped_at && !out)
      step("it was last copied here", problem.changed_at);
    f.fix = words.fix;
    return f;
  });
}

void MappingBug::report_host_memory(access::ThreadState& thread, Bytes bytes, Kind kind, Address pc,
                                    ContextId mapped_at) {
  if (thread.strand() == StrandId::none && !constructs::open_strand(thread)) return;
  reporter_.report({Rule::mapping_bug, pc, 0}, [&] {
    Finding f;
    f.rule = Rule::mapping_bug;
    f.severity = Severity::error;
    f.message = "the " + access_words(kind, bytes.size()) +
                (mapped_at != ContextId::none
                     ? " on the device uses the host's address of {object}, not that of the device's copy"
                     : " on the device is to {object}, " + std::string(mapping_words::not_mapped));
    f.accesses = {describe_access(thread, kind, pc, bytes.begin, bytes.size())};
    f.object = describe_stack(execution_, bytes.begin);
    if (mapped_at != ContextId::none) f.steps.push_back({.message = "it is mapped here", .stack = stack(mapped_at)});
    f.fix = mapped_at != ContextId::none
                ? "map the pointer together with what it points to, so that it is attached to the copy"
                : "map it to the device before it is used there";
    return f;
  });
}

} // namespace fletcher::rules
