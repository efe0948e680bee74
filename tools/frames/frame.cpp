// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/frames/frame.hpp"

#include "tools/frames/evaluator.hpp"

#include <llvm/DebugInfo/DWARF/DWARFDebugFrame.h>

#include <algorithm>

namespace fletcher::frames {
namespace {

using llvm::DWARFContext;
using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

/// What the unwind table says of one function: its canonical frame address (where its caller's stack ended) by a
/// register.
class Unwinding {
public:
  struct Rule {
    std::uint32_t base;
    std::int32_t offset;
  };

  Unwinding(DWARFContext& context, Address pc) {
    look(context.getEHFrame(), pc);
    if (rows_.empty()) look(context.getDebugFrame(), pc);
  }
  std::optional<Rule> at(Address pc) const {
    std::optional<Rule> last;
    for (const auto& [begin, rule] : rows_)
      if (begin <= pc) last = rule;
    return last && last->base != none ? last : std::nullopt;
  }

private:
  static constexpr std::uint32_t none = ~0u;

  void look(llvm::Expected<const llvm::DWARFDebugFrame*> table, Address pc) {
    if (!table) return llvm::consumeError(table.takeError());
    for (const dwarf::FrameEntry& entry : (*table)->entries()) {
      const auto* const fde = llvm::dyn_cast<dwarf::FDE>(&entry);
      if (fde == nullptr || pc - fde->getInitialLocation() >= fde->getAddressRange()) continue;
      auto rows = dwarf::UnwindTable::create(fde);
      if (!rows) return llvm::consumeError(rows.takeError());
      for (const dwarf::UnwindRow& row : *rows) {
        const dwarf::UnwindLocation& cfa = row.getCFAValue();
        const bool simple = cfa.getLocation() == dwarf::UnwindLocation::RegPlusOffset;
        if (row.hasAddress())
          rows_.push_back({row.getAddress(), simple ? Rule{cfa.getRegister(), cfa.getOffset()} : Rule{none, 0}});
      }
      return;
    }
  }

  std::vector<std::pair<Address, Rule>> rows_; ///< by their addresses
};

/// A frame by one of its function's calls.
class Frame {
public:
  Frame(DWARFContext& context, const Call& call)
      : call_(call), unwinding_(context, call.return_address - 1), rule_(unwinding_.at(call.return_address - 1)) {
    if (call.details.end != 0) {
      end_ = call.details.end;
      return;
    }
    if (!rule_) return;
    if (const auto base = register_of(call, rule_->base))
      end_ = *base + static_cast<Address>(std::int64_t{rule_->offset});
  }
  /// Its canonical address.
  std::optional<Address> end() const noexcept { return end_; }
  bool holds(Address address, std::uint64_t size) const noexcept {
    return end_ && address >= call_.stack_pointer && address < *end_ && size <= *end_ - address;
  }
  /// The same frame while its function executed the instruction at `pc`. A register that says nothing of the frame is
  /// not known then.
  std::optional<Call> when_at(Address pc) const {
    const auto rule = unwinding_.at(pc);
    if (!rule || !end_ || !rule_ || rule->base != rule_->base) return std::nullopt;
    Call then{.return_address = pc + 1};
    (rule->base == rsp ? then.stack_pointer : then.frame_pointer) =
        *end_ - static_cast<Address>(std::int64_t{rule->offset});
    return then;
  }

private:
  Call call_;
  Unwinding unwinding_;
  std::optional<Unwinding::Rule> rule_;
  std::optional<Address> end_;
};

bool covers(const llvm::DWARFLocationExpression& location, Address pc) {
  return !location.Range || (pc >= location.Range->LowPC && pc < location.Range->HighPC);
}

/// It has a value and no place: what optimisers note of the last assignment, also where others may know the variable.
bool is_value(const llvm::DWARFLocationExpression& location) {
  return !location.Expr.empty() && location.Expr.back() == dwarf::DW_OP_stack_value;
}

/// The calling function's variables, as they are at the call.
class Function {
public:
  Function(DWARFDie function, const Frame& frame, const Call& call)
      : function_(function), frame_(frame), pc_(call.return_address - 1), at_call_(call, *frame.end()) {
    auto bases = function_.getLocations(dwarf::DW_AT_frame_base);
    if (!bases) {
      llvm::consumeError(bases.takeError());
      return;
    }
    for (const llvm::DWARFLocationExpression& base : *bases)
      if (covers(base, pc_)) at_call_.set_frame_base(base.Expr);
  }

  /// The one that is in scope and holds `address`; nothing where several seem to. Optimised code may say where a
  /// variable is for a part of its life only: one that has an address stays there.
  std::optional<Variable> in_scope(Address address) const {
    for (const Parts parts : {Parts::current, Parts::others}) {
      const std::vector<Variable> found = all(address, parts);
      if (found.size() == 1) return found.front();
      if (!found.empty()) return std::nullopt;
    }
    return std::nullopt;
  }

  /// The one that holds `address` in any scope; nothing where those of several blocks share that memory.
  std::optional<Variable> anywhere(Address address) const {
    const std::vector<Variable> found = all(address, Parts::all);
    const bool one_name = std::all_of(found.begin(), found.end(),
                                      [&](const Variable& other) { return other.name == found.front().name; });
    return one_name && !found.empty() ? std::optional(found.front()) : std::nullopt;
  }

private:
  /// Of a variable's life: where the call is in it, where it is not; `all` also takes variables out of scope.
  enum class Parts : std::uint8_t { current, others, all };

  std::vector<Variable> all(Address address, Parts parts) const {
    std::vector<Variable> found;
    scope(function_, {}, address, parts, found);
    return found;
  }

  /// `inlined`: the function that `around` is a part of, if that was inlined.
  void scope(const DWARFDie& around, const std::string& inlined, Address address, Parts parts,
             std::vector<Variable>& found) const {
    for (const DWARFDie& die : around.children()) {
      const auto tag = die.getTag();
      if (tag == dwarf::DW_TAG_variable || tag == dwarf::DW_TAG_formal_parameter) {
        const std::uint64_t size = size_of(die);
        const auto start = start_of(die, address, std::max<std::uint64_t>(size, 1), parts);
        if (start) found.push_back(variable(die, *start, size, inlined));
      } else if ((tag == dwarf::DW_TAG_lexical_block || tag == dwarf::DW_TAG_inlined_subroutine) &&
                 (parts == Parts::all || die.addressRangeContainsAddress(pc_))) {
        const char* const name = die.getSubroutineName(llvm::DINameKind::LinkageName); // null for a block
        scope(die, name != nullptr ? name : inlined, address, parts, found);
      }
    }
  }

  /// Where the variable begins, if it holds the address.
  std::optional<Address> start_of(const DWARFDie& die, Address address, std::uint64_t size, Parts parts) const {
    auto locations = die.getLocations(dwarf::DW_AT_location);
    if (!locations) {
      llvm::consumeError(locations.takeError());
      return std::nullopt;
    }
    const auto here = [&](const auto& location) { return covers(location, pc_); };
    const auto is_elsewhere = [&](const auto& location) { return here(location) && !is_value(location); };
    if (parts == Parts::others && std::any_of(locations->begin(), locations->end(), is_elsewhere)) return std::nullopt;
    for (const llvm::DWARFLocationExpression& location : *locations) {
      if (parts != Parts::all && (parts == Parts::current) != here(location)) continue;
      const auto start = here(location) ? at_call_.place(location.Expr) : place_at(location);
      if (start && address - *start < size && frame_.holds(*start, size)) return start;
    }
    return std::nullopt;
  }

  std::optional<Address> place_at(const llvm::DWARFLocationExpression& location) const {
    const auto then = frame_.when_at(location.Range->LowPC);
    return then ? at_call_.with(*then).place(location.Expr) : std::nullopt;
  }

  /// In bytes; 0 where it is not known, as for an array whose length the optimiser has left out.
  std::uint64_t size_of(const DWARFDie& die) const {
    DWARFDie type = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
    if (!type)
      if (const DWARFDie origin = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin))
        type = origin.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
    return size_of_type(type);
  }

  std::uint64_t size_of_type(DWARFDie type) const {
    while (type && (type.getTag() == dwarf::DW_TAG_typedef || type.getTag() == dwarf::DW_TAG_const_type ||
                    type.getTag() == dwarf::DW_TAG_volatile_type))
      type = type.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
    if (!type) return 0;
    if (type.getTag() != dwarf::DW_TAG_array_type || type.find(dwarf::DW_AT_byte_size))
      return type.getTypeSize(pointer_size).value_or(0);
    std::uint64_t size = size_of_type(type.getAttributeValueAsReferencedDie(dwarf::DW_AT_type));
    for (const DWARFDie& dimension : type.children())
      if (dimension.getTag() == dwarf::DW_TAG_subrange_type) size *= length_of(dimension);
    return size;
  }

  /// Of one dimension, in elements.
  std::uint64_t length_of(const DWARFDie& dimension) const {
    if (const auto count = number(dimension, dwarf::DW_AT_count)) return *count;
    const auto upper = number(dimension, dwarf::DW_AT_upper_bound);
    if (!upper) return 0;
    const auto lower = dimension.find(dwarf::DW_AT_lower_bound) ? number(dimension, dwarf::DW_AT_lower_bound)
                                                                : std::optional(default_lower_bound());
    return lower ? *upper - *lower + 1 : 0;
  }

  /// Of arrays in the function's language: 1 in Fortran, where compilers leave it out.
  Address default_lower_bound() const {
    const auto language = dwarf::toUnsigned(function_.getDwarfUnit()->getUnitDIE().find(dwarf::DW_AT_language), 0);
    return dwarf::LanguageLowerBound(static_cast<dwarf::SourceLanguage>(language)).value_or(0);
  }

  /// An attribute that is a constant, an expression, or a reference to a variable that holds it.
  std::optional<Address> number(const DWARFDie& die, dwarf::Attribute attribute) const {
    const auto form = die.find(attribute);
    if (!form) return std::nullopt;
    // What is negative has a form of its own: a length of 128 in a byte is no -128.
    if (const auto constant = form->getAsUnsignedConstant()) return *constant;
    if (const auto constant = form->getAsSignedConstant()) return static_cast<Address>(*constant);
    if (const auto block = form->getAsBlock()) return at_call_.number(*block);
    const DWARFDie holder = die.getAttributeValueAsReferencedDie(attribute);
    if (!holder) return std::nullopt;
    auto locations = holder.getLocations(dwarf::DW_AT_location);
    if (!locations) {
      llvm::consumeError(locations.takeError());
      return std::nullopt;
    }
    for (const llvm::DWARFLocationExpression& location : *locations)
      if (covers(location, pc_)) return at_call_.content(location.Expr, size_of(holder));
    return std::nullopt;
  }

  static Variable variable(const DWARFDie& die, Address start, std::uint64_t size, const std::string& inlined) {
    const char* const name = die.getShortName();
    const std::string file = die.getDeclFile(llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath);
    return {name == nullptr ? "" : name, file, die.getDeclLine(), start, size, inlined};
  }

  DWARFDie function_;
  const Frame& frame_;
  Address pc_;
  Evaluator at_call_;
};

} // namespace

std::optional<Variable> variable_at(DWARFContext& context, const Call& call, Address address) {
  const Frame frame(context, call);
  if (!frame.holds(address, 1)) return std::nullopt;
  // What follows the call may be another function's.
  DWARFDie function = context.getDIEsForAddress(call.return_address - 1).FunctionDIE;
  while (function && function.getTag() != dwarf::DW_TAG_subprogram) function = function.getParent();
  if (!function) return std::nullopt;
  const Function caller(function, frame, call);
  auto found = call.is_entry ? caller.anywhere(address) : caller.in_scope(address);
  // Names that begin with a dot, as ".omp.iv", are the compiler's.
  return found && !found->name.empty() && found->name.front() != '.' ? found : std::nullopt;
}

} // namespace fletcher::frames
