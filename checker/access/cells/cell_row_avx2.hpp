// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CellRow does to rows of cells, four at a time, on processors that have AVX2. Relies on cell_row.hpp.
#pragma once

#include "checker/access/cells/cell_row.hpp"

namespace fletcher::access::avx2 {

std::size_t told(const std::uint64_t* cells, std::size_t count, std::uint64_t strand, std::uint64_t need) noexcept;
std::size_t told_of_reads(const std::uint64_t* cells, std::size_t plane_distance, std::size_t count,
                          const Alike& alike) noexcept;
std::size_t record(std::uint64_t* cells, std::size_t count, std::uint64_t horizon, Cell now) noexcept;
std::size_t repeat(const CellRow::Change& change, std::size_t count) noexcept;
std::size_t among(const CellRow::Among& among, std::size_t count) noexcept;
void clear(std::uint64_t* cells, std::size_t count) noexcept;

} // namespace fletcher::access::avx2
