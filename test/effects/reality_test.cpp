// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables against the libraries that are installed: each function is called with arguments by chance. What a call
// changes must be declared as written, and what is not declared as read may be anything without changing a result.
#include "lib/effects/extent.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include <dlfcn.h>

// Instead of the libraries' own, which end the process: a call that is refused changes nothing.
extern "C" {
[[gnu::visibility("default")]] void xerbla_(const char*, const int*, std::size_t) {}
[[gnu::visibility("default")]] void cblas_xerbla(int, const char*, const char*, ...) {}
[[gnu::visibility("default")]] void LAPACKE_xerbla(const char*, int) {}
}

namespace fletcher::effects {
namespace {

constexpr std::size_t arena_size = 4096, words_on_stack = 24;
using Arena = std::array<std::byte, arena_size>;

/// By whatever registers results come back.
struct Result {
  double first, second;
  friend bool operator==(const Result& a, const Result& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
};
template <std::size_t> using Word = std::uint64_t;
template <class Returned, std::size_t... Words>
Returned call(void* function, const Registers& r, std::index_sequence<Words...>) {
  const auto real = [&](int i) { return std::bit_cast<double>(r.vector[i].low); };
  using Function = Returned (*)(Word<0>, Word<0>, Word<0>, Word<0>, Word<0>, Word<0>, double, double, double, double,
                                double, double, double, double, Word<Words>...);
  return reinterpret_cast<Function>(function)(r.general[0], r.general[1], r.general[2], r.general[3], r.general[4],
                                              r.general[5], real(0), real(1), real(2), real(3), real(4), real(5),
                                              real(6), real(7), r.stack[Words]...);
}

class Trial {
public:
  Trial(const Signature& signature, std::mt19937& random) : signature_(signature), random_(random) {
    const auto parameters = signature.table().parameters_of(signature.function());
    arenas_ = std::make_unique<std::array<Arena, Signature::most_parameters + 1>>();
    stack_.fill(signature.form().convention == Convention::fortran
                    ? 1 // the lengths of texts
                    : reinterpret_cast<std::uint64_t>(arenas_->back().data()));
    registers_.stack = stack_.data();
    if (signature.order().where != Signature::Place::Where::nowhere)
      put(signature.order(), only_by_columns() ? 102 : 101 + pick(2));
    for (std::size_t i = 0; i < parameters.size(); ++i) choose(static_cast<std::uint8_t>(i), parameters[i]);
  }

  void run(void* function) {
    const Arguments arguments(signature_, registers_);
    mark(arguments);
    const auto before = std::make_unique<std::array<Arena, Signature::most_parameters + 1>>(*arenas_);
    const Result result = compute(function);
    const auto after = std::make_unique<std::array<Arena, Signature::most_parameters + 1>>(*arenas_);
    for (std::size_t i = 0; i < written_.size(); ++i)
      for (std::size_t byte = 0; byte < arena_size; ++byte)
        ASSERT_TRUE(written_[i][byte] || (*after)[i][byte] == (*before)[i][byte])
            << name(i) << ", byte " << byte << ", is changed";
    // Once more, with garbage in what it does not read.
    *arenas_ = *before;
    for (std::size_t i = 0; i < read_.size(); ++i)
      if (is_array(i))
        for (std::size_t byte = 0; byte < arena_size; ++byte)
          if (!read_[i][byte]) (*arenas_)[i][byte] = std::byte{0xff};
    const Result again = compute(function);
    ASSERT_EQ(result, again) << "what it does not read changes its result";
    for (std::size_t i = 0; i < read_.size(); ++i)
      if (is_array(i) && parameter(i).presence != Presence::workspace)
        for (std::size_t byte = 0; byte < arena_size; ++byte) {
          ASSERT_TRUE((*after)[i][byte] == (*before)[i][byte] || (*after)[i][byte] == (*arenas_)[i][byte])
              << name(i) << ", byte " << byte << ", depends on more";
        }
  }

private:
  static constexpr std::size_t most = Signature::most_parameters;

  std::uint64_t pick(unsigned count) { return random_() % count; }
  const Parameter& parameter(std::size_t i) const { return signature_.parameter(static_cast<std::uint8_t>(i)); }
  /// For messages, with what was passed.
  std::string name(std::size_t i) const {
    std::string out = std::string(parameter(i).name) + " (";
    const Arguments arguments(signature_, registers_);
    if (signature_.function().ordered && arguments.by_rows()) out += " by rows";
    for (std::uint8_t p = 0; p < signature_.function().parameters; ++p)
      if (parameter(p).kind <= Kind::real)
        out += " " + std::string(parameter(p).name) + " " +
               (parameter(p).kind == Kind::flag ? std::string(1, arguments.letter(p))
                                                : std::to_string(arguments.value_of(p)));
    return out + ")";
  }
  bool is_array(std::size_t i) const {
    return i < signature_.function().parameters && parameter(i).kind >= Kind::array && parameter(i).kind <= Kind::bytes;
  }
  /// Where rows lie one after the other, LAPACKE copies the whole array back, more than the function has written, or
  /// takes too small a copy (mlq).
  bool only_by_columns() const {
    const std::string_view name = signature_.function().name;
    return signature_.form().convention == Convention::lapacke &&
           (name.ends_with("geqrt") || name.ends_with("tpqrt") || name.ends_with("lacpy") || name.ends_with("laswp") ||
            name.ends_with("mlq"));
  }
  /// Functions that write nothing are there for their results.
  bool returns() const {
    for (const Effect& effect : signature_.effects())
      if (effect.use != Use::reads && parameter(effect.parameter).presence == Presence::everywhere) return false;
    return true;
  }
  Result compute(void* function) {
    constexpr auto words = std::make_index_sequence<words_on_stack>();
    const std::string_view name = signature_.function().name;
    if (name.find("amax") == name.npos && name.find("amin") == name.npos)
      return returns() ? first_of(call<Result>(function, registers_, words))
                       : (call<void>(function, registers_, words), Result{});
    return {std::bit_cast<double>(call<std::uint64_t>(function, registers_, words) & 0xffff'ffff), 0};
  }
  /// What the function did not return is anything.
  Result first_of(Result result) const {
    if (signature_.function().type != 'z' || signature_.function().name.find("dot") == std::string_view::npos)
      result.second = 0;
    const bool is_single = signature_.function().type == 's' || signature_.function().name.starts_with("sc") ||
                           signature_.function().name.starts_with("clan");
    if (is_single && signature_.function().name != "dsdot")
      result.first = std::bit_cast<double>(std::bit_cast<std::uint64_t>(result.first) & 0xffff'ffff);
    return result;
  }

  void put(Signature::Place place, std::uint64_t word) {
    switch (place.where) {
    case Signature::Place::Where::general:
      registers_.general[place.index] = word;
      break;
    case Signature::Place::Where::vector:
      registers_.vector[place.index].low = word;
      break;
    case Signature::Place::Where::stack:
      stack_[place.index] = word;
      break;
    case Signature::Place::Where::nowhere:
      break;
    }
  }

  void choose(std::uint8_t index, const Parameter& parameter) {
    Arena& arena = (*arenas_)[index];
    const Signature::Place place = signature_.place(index);
    const bool by_value = signature_.by_value(parameter.kind);
    const bool is_double = signature_.function().type != 's' && signature_.function().type != 'c';
    const auto number = [&](double value) {
      return is_double ? std::bit_cast<std::uint64_t>(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    };
    const auto numbers = [&](auto example) {
      for (std::size_t at = 0; at < arena_size; at += sizeof example) {
        example = static_cast<decltype(example)>(std::uniform_real_distribution<double>(-1, 1)(random_));
        std::memcpy(arena.data() + at, &example, sizeof example);
      }
    };
    std::uint64_t word = 0;
    switch (parameter.kind) {
    case Kind::flag:
      word = flag(parameter.name);
      break;
    case Kind::integer:
    case Kind::wide:
      word = static_cast<std::uint64_t>(integer(parameter.name));
      break;
    case Kind::number:
    case Kind::real: {
      word = number(std::array{0.0, 1.0, 0.75}[pick(3)]);
      // OpenBLAS multiplies small matrices by a factor of 0, though the standard says that they are not referenced.
      if (word == 0 && parameter.name == "alpha" && signature_.function().name.find("gemm") == 1) word = number(1);
      const bool in_two = by_value && parameter.kind == Kind::number && signature_.function().type == 'z';
      if (in_two && place.where == Signature::Place::Where::vector) registers_.vector[place.index + 1].low = number(0);
      break;
    }
    case Kind::integers:
      for (std::size_t i = 0; i < arena_size / 4; ++i) {
        const std::int32_t pivot = 1 + static_cast<std::int32_t>(pick(static_cast<unsigned>(least_)));
        std::memcpy(arena.data() + i * 4, &pivot, sizeof pivot);
      }
      break;
    default:
      if (is_double)
        numbers(double{});
      else
        numbers(float{});
      break;
    }
    if (by_value) return put(place, word);
    if (word != 0 || parameter.kind <= Kind::real) {
      arena.fill(std::byte{0});
      std::memcpy(arena.data(), &word, sizeof word);
    }
    put(place, reinterpret_cast<std::uint64_t>(arena.data()));
  }

  std::uint64_t flag(std::string_view name) {
    const bool constant = signature_.form().convention == Convention::cblas;
    const auto of = [&](std::string_view letters, std::initializer_list<int> constants) -> std::uint64_t {
      if (constant)
        return static_cast<std::uint64_t>(*(constants.begin() + pick(static_cast<unsigned>(constants.size()))));
      return static_cast<unsigned char>(letters[pick(static_cast<unsigned>(letters.size()))]);
    };
    if (name == "side") return of("LR", {141, 142});
    if (name == "uplo") return of(signature_.function().name.find("la") == 1 ? "ULA" : "uL", {121, 122});
    if (name == "diag") return of("NU", {131, 132});
    if (name == "norm") return of("M1IFO", {});
    if (name == "jobz") return of(signature_.function().name.ends_with("gesdd") ? "NASO" : "NV", {});
    if (name == "jobu" || name == "jobvt") return of("NASO", {});
    if (name.starts_with("job")) return of("NV", {});
    return of("NtC", {111, 112, 113});
  }

  std::int64_t integer(std::string_view name) {
    if (name.starts_with("ld")) return 8 + static_cast<std::int64_t>(pick(4));
    if (name.starts_with("inc")) return std::array{1, 2, -1, -3}[pick(4)];
    if (name.ends_with("work")) return query_ ? -1 : 250;
    if (name == "kl" || name == "ku" || name == "kd") return static_cast<std::int64_t>(pick(3));
    if (name == "nb" || name == "k1") return 1 + static_cast<std::int64_t>(pick(2));
    if (name == "k2") return 2 + static_cast<std::int64_t>(pick(4));
    if (name == "l") return static_cast<std::int64_t>(pick(static_cast<unsigned>(least_) + 1));
    // Falling along the list, as functions with reflections want them; sometimes none.
    if (pick(8) == 0) return 0;
    smallest_ = 1 + static_cast<std::int64_t>(pick(static_cast<unsigned>(pick(2) == 0 ? 7 : smallest_)));
    least_ = std::min(least_, smallest_);
    return smallest_;
  }

  void mark(const Arguments& arguments) {
    for (auto& one : read_) one.assign(arena_size, false);
    for (auto& one : written_) one.assign(arena_size, false);
    for (const Effect& effect : signature_.effects()) {
      const Extent extent = extent_of(arguments, effect);
      const bool reads = effect.use == Use::reads || (effect.use == Use::updates && arguments.holds(effect.reading));
      const std::byte* const begin = (*arenas_)[effect.parameter].data();
      each_piece(arguments, extent, [&](const Pieces& pieces) {
        for (std::size_t piece = 0; piece < pieces.count; ++piece)
          for (std::size_t byte = 0; byte < pieces.size; ++byte) {
            const auto at = static_cast<std::size_t>(pieces.first - begin) + piece * pieces.step + byte;
            ASSERT_LT(at, arena_size);
            if (reads) read_[effect.parameter][at] = true;
            if (effect.use != Use::reads) written_[effect.parameter][at] = true;
          }
      });
    }
    written_[most].assign(arena_size, true);
  }

  const Signature& signature_;
  std::mt19937& random_;
  Registers registers_{};
  std::array<std::uint64_t, words_on_stack> stack_{};
  std::int64_t smallest_ = 6, least_ = 6;
  bool query_ = pick(10) == 0;
  std::unique_ptr<std::array<Arena, most + 1>> arenas_;
  std::array<std::vector<char>, most + 1> read_, written_;
};

/// OpenBLAS and what stands on it: the reference BLAS's C functions do not end for some arguments, zgbmv's by rows.
class Libraries {
public:
  Libraries() {
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("LAPACKE_NANCHECK", "0", 1); // it looks at whole arrays, to refuse them
    for (const char* name : {"libopenblas.so.0", "liblapack.so.3", "liblapacke.so.3"})
      if (void* const library = dlopen(name, RTLD_LAZY | RTLD_GLOBAL))
        libraries_.push_back(library);
      else if (libraries_.empty())
        break;
  }
  void* find(const std::string& symbol) const {
    for (void* const library : libraries_)
      if (void* const function = dlsym(library, symbol.c_str())) return function;
    return nullptr;
  }

private:
  std::vector<void*> libraries_;
};

/// Of `before` + a function's name + `after`, those that the libraries have.
void try_all(const std::string& before, const std::string& after) {
  const Libraries libraries;
  std::mt19937 random(7);
  unsigned functions = 0;
  for (const Function& one : built_in.functions) {
    const std::string symbol = before + std::string(one.name) + after;
    void* const function = libraries.find(symbol);
    const auto known = find(built_in, symbol);
    if (function == nullptr || !known || one.type == 0 || one.role != Role::computes) continue;
    const auto signature = Signature::of(*known);
    ASSERT_TRUE(signature) << symbol;
    ASSERT_LE(signature->words_on_stack(), words_on_stack - 4) << symbol;
    ++functions;
    for (int round = 0; round < 10; ++round) {
      SCOPED_TRACE(symbol + ", round " + std::to_string(round));
      Trial(*signature, random).run(function);
      if (testing::Test::HasFatalFailure()) break;
    }
  }
  if (functions == 0) GTEST_SKIP() << "no library has functions " << before << "NAME" << after;
  std::printf("%u functions\n", functions);
}

TEST(Effects, FortransFunctionsDoWhatTheTableSays) { try_all("", "_"); }
TEST(Effects, CblasDoesWhatTheTableSays) { try_all("cblas_", ""); }
TEST(Effects, LapackeDoesWhatTheTableSays) { try_all("LAPACKE_", ""); }
TEST(Effects, LapackeWithWorkspaceDoesWhatTheTableSays) { try_all("LAPACKE_", "_work"); }

} // namespace
} // namespace fletcher::effects
