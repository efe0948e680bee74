// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/mpi/uses/layout.hpp"

#include <algorithm>

namespace fletcher::interpose::mpi {

namespace {

constinit Function<int(Handle, int*)> type_size{"PMPI_Type_size"};
constinit Function<int(Handle, Displacement*, Displacement*)> type_extent{"PMPI_Type_get_extent"},
    type_true_extent{"PMPI_Type_get_true_extent"};
constinit Function<int(Handle, int*, int*, int*, int*)> type_envelope{"PMPI_Type_get_envelope"};
constinit Function<int(Handle, int, int, int, int*, Displacement*, void*)> type_contents{"PMPI_Type_get_contents"};
constinit Function<int(void*)> type_free{"PMPI_Type_free"};

struct Shape {
  Displacement extent = 0, first = 0, span = 0; ///< `span` bytes from `first` on hold all data
  int size = 0;                                 ///< bytes of data
};

Shape shape_of(Handle type) {
  Shape shape;
  Displacement lower = 0;
  if (type_size(type, &shape.size) != success || type_extent(type, &lower, &shape.extent) != success ||
      type_true_extent(type, &shape.first, &shape.span) != success)
    return {};
  return shape;
}

/// Takes a datatype apart. What has too many parts is left out from there on.
class Parts {
public:
  explicit Parts(std::vector<Bytes>& out) : out_(out) {}

  void add(Handle type, Displacement at) {
    const Shape shape = shape_of(type);
    if (shape.size <= 0 || full()) return;
    if (shape.size == shape.span) return push(at + shape.first, static_cast<std::size_t>(shape.size));
    int integers = 0, addresses = 0, types = 0, number = 0;
    if (type_envelope(type, &integers, &addresses, &types, &number) != success) return;
    const Combiner combiner = abi()->combiner(number);
    // Of a pair with a gap in it the first byte is certain.
    if (combiner == Combiner::named) return push(at + shape.first, 1);
    if (combiner == Combiner::other) return;
    Contents contents(type, integers, addresses, types);
    if (contents.ok) add_made(combiner, contents, at);
  }

private:
  struct Contents {
    Contents(Handle type, int integers, int addresses, int types)
        : numbers(static_cast<std::size_t>(integers)), places(static_cast<std::size_t>(addresses)),
          handles(static_cast<std::size_t>(types)), ok(type_contents(type, integers, addresses, types, numbers.data(),
                                                                     places.data(), handles.data()) == success) {}
    ~Contents() {
      // Derived datatypes are the caller's to free, named ones must not be.
      for (std::size_t i = 0; ok && i < handles.size(); ++i) {
        int a = 0, b = 0, c = 0, number = 0;
        Handle one = type(i);
        if (type_envelope(one, &a, &b, &c, &number) == success && abi()->combiner(number) != Combiner::named)
          type_free(&one);
      }
    }
    Contents(const Contents&) = delete;
    Contents& operator=(const Contents&) = delete;
    Handle type(std::size_t i) const { return abi()->handle_at(handles.data(), i); }

    std::vector<int> numbers;
    std::vector<Displacement> places;
    std::vector<std::uint64_t> handles; ///< room for handles of either size
    bool ok;
  };

  bool full() const noexcept { return out_.size() >= most; }

  void push(Displacement offset, std::size_t size) {
    if (!out_.empty() && out_.back().offset + static_cast<Displacement>(out_.back().size) == offset)
      out_.back().size += size;
    else
      out_.push_back({offset, size});
  }

  /// `count` elements that lie side by side.
  void row(Handle type, std::int64_t count, Displacement at, Displacement extent) {
    const Shape shape = shape_of(type);
    if (shape.size == shape.span && shape.size == extent && count > 0)
      return push(at + shape.first, static_cast<std::size_t>(count * extent));
    for (std::int64_t i = 0; i < count && !full(); ++i) add(type, at + i * extent);
  }

  void add_made(Combiner combiner, const Contents& made, Displacement at) {
    using enum Combiner;
    const auto& n = made.numbers;
    const auto& places = made.places;
    const Handle type = made.type(0);
    const Displacement extent = shape_of(type).extent;
    const auto count = static_cast<std::size_t>(n.empty() ? 0 : n[0]);
    switch (combiner) {
    case dup:
    case resized:
      return add(type, at);
    case contiguous:
      return row(type, n[0], at, extent);
    case vector:
    case hvector:
      for (int i = 0; i < n[0] && !full(); ++i)
        row(type, n[1], at + i * (combiner == vector ? n[2] * extent : places[0]), extent);
      return;
    case indexed:
    case hindexed:
      for (std::size_t i = 0; i < count && !full(); ++i)
        row(type, n[1 + i], at + (combiner == indexed ? n[1 + count + i] * extent : places[i]), extent);
      return;
    case indexed_block:
    case hindexed_block:
      for (std::size_t i = 0; i < count && !full(); ++i)
        row(type, n[1], at + (combiner == indexed_block ? n[2 + i] * extent : places[i]), extent);
      return;
    case structure:
      for (std::size_t i = 0; i < count && !full(); ++i)
        row(made.type(i), n[1 + i], at + places[i], shape_of(made.type(i)).extent);
      return;
    case subarray:
      return part_of_array(made, extent, at);
    case named:
    case other:
      return;
    }
  }

  /// numbers: dimensions, sizes, sizes of the part, where it starts, order.
  void part_of_array(const Contents& made, Displacement extent, Displacement at) {
    const auto dimensions = static_cast<std::size_t>(made.numbers[0]);
    const int* const sizes = made.numbers.data() + 1;
    const int *const part = sizes + dimensions, *const start = part + dimensions;
    const bool fortran = abi()->is_fortran_order(start[dimensions]);
    // From the dimension whose elements lie side by side outward.
    const auto dimension = [&](std::size_t i) { return fortran ? i : dimensions - 1 - i; };
    std::vector<Displacement> step(dimensions);
    Displacement size = extent, first = at;
    for (std::size_t i = 0; i < dimensions; ++i) {
      step[i] = size;
      first += start[dimension(i)] * size;
      size *= sizes[dimension(i)];
    }
    std::vector<int> index(dimensions, 0);
    for (;;) {
      Displacement here = first;
      for (std::size_t i = 1; i < dimensions; ++i) here += index[i] * step[i];
      row(made.type(0), part[dimension(0)], here, extent);
      std::size_t i = 1;
      while (i < dimensions && ++index[i] == part[dimension(i)]) index[i++] = 0;
      if (i >= dimensions || full()) return;
    }
  }

  static constexpr std::size_t most = 1u << 14;
  std::vector<Bytes>& out_;
};

} // namespace

Layout::Layout(Handle datatype) {
  if (!abi()->is_datatype(datatype)) return;
  const Shape shape = shape_of(datatype);
  extent_ = shape.extent;
  Parts(blocks_).add(datatype, 0);
}

} // namespace fletcher::interpose::mpi
