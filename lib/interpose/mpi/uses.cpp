// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/uses.hpp"

#include "lib/interpose/mpi/layout.hpp"

#include "checker/access/check.hpp"

namespace fletcher::interpose::mpi {

namespace {

constinit Function<int(Handle, int*)> comm_rank{"PMPI_Comm_rank"}, comm_size{"PMPI_Comm_size"},
    comm_test_inter{"PMPI_Comm_test_inter"};

int ask(Function<int(Handle, int*)>& function, Handle communicator) {
  int answer = -1;
  return function(communicator, &answer) == success ? answer : -1;
}

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
  constexpr Address first_page_end = 4096;
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

} // namespace fletcher::interpose::mpi
