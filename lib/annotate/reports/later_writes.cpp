// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/annotate/reports/later_writes.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/annotate/reports/file.hpp"
#include "lib/annotate/reports/text.hpp"
#include "lib/annotate/tasks/task_names.hpp"
#include "lib/tool/process/peek.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

namespace fletcher::annotate {

namespace {

struct Places {
  memory::SpinLock lock;
  std::set<std::uint64_t> of_reports;
};
/// Never destroyed: it is asked at the very end.
Places& followed_by_write() {
  static auto* const the = new Places;
  return *the;
}

/// So far the thread has looked at the file.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint64_t looked = 0;
/// For ThreadSanitizer it is written.
[[gnu::tls_model("initial-exec")]] alignas(8) constinit thread_local std::uint64_t written_for_look = 0;

/// What ThreadSanitizer of LLVM 14 and later keeps of the accesses of eight bytes: which of these, by whom and since
/// when, and of what kind.
using Cell = std::array<std::uint32_t, 4>;
constexpr std::uint32_t bytes = 0xff, by_and_when = 0x3fffff00, read_or_atomic = 0xc0000000;

/// Where it keeps them: at twice the address, without some bits, with others the other way round, and so much further.
struct Layout {
  Address left_out, turned, from;
};
constexpr std::array layouts{Layout{0x700000000007, 0, 0x100000000000},  // of LLVM 19
                             Layout{0x780000000007, 0x040000000000, 0}}; // of LLVM 14

std::optional<Cell> cell_of(Address address, const Layout& layout) noexcept {
#if defined(__x86_64__)
  return tool::peek<Cell>(((address & ~layout.left_out) ^ layout.turned) * 2 + layout.from);
#else
  return std::nullopt;
#endif
}

/// Of the running thread or fiber, until it releases something.
struct HereAndNow {
  const Layout* layout;
  std::uint32_t by_and_when;
};
/// Nothing where the cells look otherwise.
std::optional<HereAndNow> here_and_now(const ThreadSanitizer& sanitizer) noexcept {
  const auto address = reinterpret_cast<Address>(&written_for_look);
  sanitizer.forget_accesses(address, address + sizeof written_for_look);
  sanitizer.write(address);
  for (const Layout& layout : layouts)
    if (const auto cell = cell_of(address, layout);
        cell && ((*cell)[0] & bytes) == bytes && ((*cell)[0] & read_or_atomic) == 0)
      return HereAndNow{&layout, (*cell)[0] & by_and_when};
  return std::nullopt;
}

/// Since the report, after which the cell was empty.
bool has_written(const PrintedAccess& read, const HereAndNow& now) noexcept {
  const auto cell = cell_of(read.address, *now.layout);
  const std::uint32_t size = std::min(read.size, 8U), of_cell = read.address % 8;
  const std::uint32_t read_bytes = (((1U << size) - 1) << of_cell) & bytes;
  return cell && std::ranges::any_of(*cell, [&](std::uint32_t access) {
           return (access & read_bytes) != 0 && (access & read_or_atomic) == 0 &&
                  (access & by_and_when) == now.by_and_when;
         });
}

} // namespace

void look_for_later_writes(const ThreadSanitizer& sanitizer, TaskId task, bool on_main_thread) {
  const std::string text = reports_from(looked);
  if (text.empty()) return;
  const auto is_by_task = [&](const PrintedAccess& access) {
    const auto named = task_of(access.thread_name);
    return named ? named->id == task : on_main_thread && access.thread == 0;
  };
  std::optional<HereAndNow> own;
  for (const PrintedPiece& piece : read_reports(text, false)) {
    const std::uint64_t place = looked;
    looked += piece.text.size();
    if (!piece.race) continue;
    for (const PrintedAccess& access : {piece.race->later, piece.race->earlier}) {
      if (access.write || access.atomic || !is_by_task(access)) continue;
      if (!own) own = here_and_now(sanitizer);
      if (!own || !has_written(access, *own)) continue;
      Places& places = followed_by_write();
      const memory::SpinGuard guard(places.lock);
      places.of_reports.insert(place);
    }
  }
}

bool is_followed_by_write(std::uint64_t report) {
  Places& places = followed_by_write();
  const memory::SpinGuard guard(places.lock);
  return places.of_reports.contains(report);
}

} // namespace fletcher::annotate
