// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/uses/uses.hpp"

#include "lib/interpose/mpi/uses/layout.hpp"

#include "checker/access/check.hpp"

#include <algorithm>

namespace fletcher::interpose::mpi {

namespace {

constinit Function<int(Handle, int*)> comm_rank{"PMPI_Comm_rank"}, comm_size{"PMPI_Comm_size"},
    comm_test_inter{"PMPI_Comm_test_inter"};

int ask(Function<int(Handle, int*)>& function, Handle communicator) {
  int answer = -1;
  return function(communicator, &answer) == success ? answer : -1;
}

constexpr Address first_page_end = 4096;

struct Range {
  Address begin, end;
  bool written;
};

} // namespace

int rank_in(Handle communicator) { return ask(comm_rank, communicator); }
int size_of(Handle communicator) { return ask(comm_size, communicator); }
bool is_intercommunicator(Handle communicator) { return ask(comm_test_inter, communicator) == 1; }

void Uses::sends(int to, Handle communicator) { to_self_ |= to >= 0 && to == rank_in(communicator); }
void Uses::receives(int from, int tag, Handle communicator) {
  received_ = Envelope{communicator, from, tag};
  from_self_ |= from == abi()->any_source() || (from >= 0 && from == rank_in(communicator));
}

void Uses::make(access::ThreadState& thread, access::Kind kind, Address pc) const {
  const auto access = [&](Address address, std::size_t size) {
    if (address >= first_page_end) access::check_whole(thread, address, size, kind, pc - 1);
  };
  for (const Use& use : list_) {
    if (use.kind != kind) continue;
    if (use.type == 0)
      access(reinterpret_cast<Address>(use.buffer), static_cast<std::size_t>(use.count));
    else
      Layout(use.type).each(use.buffer, use.count, access);
  }
}

bool Uses::receives_some() const noexcept {
  return std::ranges::any_of(list_, [](const Use& use) { return access::writes(use.kind); });
}

Overlap Uses::overlap() const {
  constexpr std::size_t most_parts = 1u << 16;
  if (!receives_some()) return Overlap::none;
  std::vector<Range> ranges;
  for (const Use& use : list_)
    if (const bool written = access::writes(use.kind); use.type != 0 && (written || !in_place_))
      Layout(use.type).each(use.buffer, use.count, [&](Address address, std::size_t size) {
        if (address >= first_page_end && size > 0 && ranges.size() < most_parts)
          ranges.push_back({address, address + size, written});
      });
  if (ranges.size() == most_parts) return Overlap::none; // it would take too long
  std::ranges::sort(ranges, {}, &Range::begin);
  Address read_until = 0, written_until = 0;
  for (const Range& one : ranges) {
    if (one.written && one.begin < written_until) return Overlap::of_written;
    if (one.begin < (one.written ? read_until : written_until)) return Overlap::of_read_and_written;
    Address& until = one.written ? written_until : read_until;
    until = std::max(until, one.end);
  }
  return Overlap::none;
}

} // namespace fletcher::interpose::mpi
