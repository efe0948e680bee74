// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared memory, and how processes with one launcher find it: by the launcher's process number and the time of its
// start. Its name is gone as soon as all have come, or one leaves.
#include "lib/interpose/mpi/ranks/board.hpp"

#include "checker/memory/hash.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace fletcher::interpose::mpi::board {

namespace {

constexpr int most_processes = 64;
constexpr mode_t for_the_owner = 0600;
/// What differs with the library's version: processes with another one have another board.
constexpr std::uint64_t form = 1;

struct Header {
  std::atomic<std::uint32_t> joined{0};
  std::atomic<bool> spoiled{false}; ///< a process came twice
  std::atomic<bool> others{false};
};
struct Board {
  Header header;
  // Processes follow.
};
constexpr std::size_t first_process = std::max(sizeof(Board), alignof(Process));

constinit std::atomic<Board*> board{nullptr};
constinit int ranks = 0, rank = -1;
constinit pid_t owner = 0; ///< no child of fork
constinit std::array<char, 96> name{};

Process* process(Board* the, int index) noexcept {
  return reinterpret_cast<Process*>(reinterpret_cast<char*>(the) + first_process) + index;
}

std::string contents(const std::string& path) {
  std::string out;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return out;
  std::array<char, 4096> piece;
  for (ssize_t size; (size = ::read(file, piece.data(), piece.size())) > 0;)
    out.append(piece.data(), static_cast<std::size_t>(size));
  close(file);
  return out;
}

/// The field of /proc/PID/stat, which counts from 1; those behind the name.
std::uint64_t stat_field(pid_t process, int field) {
  const std::string text = contents("/proc/" + std::to_string(process) + "/stat");
  std::size_t at = text.rfind(')');
  for (int i = 2; i < field && at != text.npos; ++i) at = text.find(' ', at + 1);
  std::uint64_t value = 0;
  if (at != text.npos) std::from_chars(text.data() + at + 1, text.data() + text.size(), value);
  return value;
}
constexpr int parent_field = 4, start_field = 22;

/// A launcher has given it its rank.
bool is_launched(pid_t process) {
  using namespace std::string_view_literals;
  const std::string variables = '\0' + contents("/proc/" + std::to_string(process) + "/environ");
  constexpr std::array known{"\0PMI_RANK="sv, "\0PMIX_RANK="sv, "\0OMPI_COMM_WORLD_RANK="sv};
  return std::ranges::any_of(known, [&](std::string_view one) { return variables.find(one) != variables.npos; });
}

/// The nearest ancestor that a launcher did not start; 0: it is not known.
pid_t launcher() {
  pid_t at = getpid();
  if (!is_launched(at)) return 0;
  while (at > 1 && is_launched(at)) at = static_cast<pid_t>(stat_field(at, parent_field));
  return at > 1 ? at : 0;
}

/// As many as the launcher has started on this machine, where it says so.
bool may_be_all_here(int size) {
  for (const char* const variable : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"})
    if (const char* const value = std::getenv(variable)) return std::atoi(value) == size;
  return true;
}

Board* map(int size) {
  const std::size_t bytes = first_process + sizeof(Process) * static_cast<std::size_t>(size);
  const int file = shm_open(name.data(), O_RDWR | O_CREAT | O_CLOEXEC, for_the_owner);
  if (file < 0) return nullptr;
  // Now, as there may be too little: a page that is missing later would be the end of the process.
  void* const memory = posix_fallocate(file, 0, static_cast<off_t>(bytes)) != 0
                           ? MAP_FAILED
                           : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<Board*>(memory);
}

struct Program {
  std::uint64_t id = 0;
  Address base = 0, begin = 0, end = 0;
};
int note_program(dl_phdr_info* module, std::size_t, void* data) {
  auto& out = *static_cast<Program*>(data);
  out.base = module->dlpi_addr;
  out.begin = ~Address{0};
  for (const ElfW(Phdr) & part : std::span(module->dlpi_phdr, module->dlpi_phnum)) {
    if (part.p_type != PT_LOAD) continue;
    out.begin = std::min<Address>(out.begin, out.base + part.p_vaddr);
    out.end = std::max<Address>(out.end, out.base + part.p_vaddr + part.p_memsz);
  }
  return 1; // the first one is the program
}
const Program& program() noexcept {
  static const Program the = [] {
    Program out;
    struct stat file{};
    dl_iterate_phdr(note_program, &out);
    if (stat("/proc/self/exe", &file) == 0) out.id = memory::mix(file.st_dev, file.st_ino) | 1;
    return out;
  }();
  return the;
}

} // namespace

Place place_of(Address pc) noexcept {
  const Program& own = program();
  return pc >= own.begin && pc < own.end ? Place{own.id, pc - own.base} : Place{};
}
Address address_of(const Place& place) noexcept {
  return place.program != 0 && place.program == program().id ? program().base + place.offset : 0;
}

Name::Name(const char* function) noexcept { std::strncpy(text.data(), function, text.size() - 1); }

void join(int own_rank, int size) noexcept {
  if (board.load(std::memory_order_relaxed) != nullptr || size > most_processes || own_rank < 0 || own_rank >= size ||
      !may_be_all_here(size))
    return;
  const pid_t starter = launcher();
  if (starter == 0) return;
  std::snprintf(name.data(), name.size(), "/fletcher-%u-%d-%llu-%d-%llu", getuid(), starter,
                static_cast<unsigned long long>(stat_field(starter, start_field)), size,
                static_cast<unsigned long long>(memory::mix(form, sizeof(Process))));
  Board* const the = map(size);
  if (the == nullptr) return;
  std::uint32_t free = Process::absent;
  if (!process(the, own_rank)->life.compare_exchange_strong(free, Process::running)) {
    the->header.spoiled = true;
    return;
  }
  ranks = size;
  rank = own_rank;
  owner = getpid();
  board.store(the, std::memory_order_release);
  if (++the->header.joined == static_cast<std::uint32_t>(size)) shm_unlink(name.data());
}

void leave() noexcept {
  Board* const the = board.load(std::memory_order_acquire);
  if (the == nullptr || owner != getpid()) return;
  process(the, rank)->life = Process::over;
  if (the->header.joined != static_cast<std::uint32_t>(ranks)) shm_unlink(name.data());
}

void let_others_in() noexcept {
  if (Board* const the = board.load(std::memory_order_acquire)) the->header.others = true;
}
bool others_may_send() noexcept {
  Board* const the = board.load(std::memory_order_acquire);
  return the == nullptr || the->header.others;
}

std::span<Process> processes() noexcept {
  Board* const the = board.load(std::memory_order_acquire);
  if (the == nullptr || the->header.joined.load(std::memory_order_acquire) != static_cast<std::uint32_t>(ranks) ||
      the->header.spoiled)
    return {};
  return {process(the, 0), static_cast<std::size_t>(ranks)};
}

Process* own() noexcept {
  Board* const the = board.load(std::memory_order_acquire);
  return the == nullptr ? nullptr : process(the, rank);
}
int own_rank() noexcept { return rank; }

} // namespace fletcher::interpose::mpi::board
