// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/cells/cell_row.hpp"

#include "checker/access/cells/cell_row_avx2.hpp"
#include "checker/access/cells/cell_row_one_by_one.hpp"

namespace fletcher::access {

CellRow::CellRow() noexcept
    : told_(one_by_one::told), told_of_reads_(one_by_one::told_of_reads), record_(one_by_one::record),
      repeat_(one_by_one::repeat), among_(one_by_one::among), clear_(one_by_one::clear) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    told_ = avx2::told;
    told_of_reads_ = avx2::told_of_reads;
    record_ = avx2::record;
    repeat_ = avx2::repeat;
    among_ = avx2::among;
    clear_ = avx2::clear;
  }
#endif
}

} // namespace fletcher::access
