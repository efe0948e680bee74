// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names for the addresses of a document: source places with inlined frames, global and stack variables. Asks
// llvm-symbolizer once; without it, the ELF symbols answer.
#pragma once

#include "reports/document/document.hpp"
#include "reports/symbols/frame_layout.hpp"
#include "reports/symbols/function_names.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::reports {

/// A place in source. Without a line it is known by its module and offset only.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0, column = 0;
  bool known() const noexcept { return line != 0 && !file.empty(); }
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// One line of a call stack. Inlined calls are frames of their own.
struct Frame {
  UserFunction function;
  std::string compiler_name; ///< demangled
  SourcePlace place;
  bool own_line = false; ///< the place's; else it is that of code near
  std::uint32_t function_line = 0;
  std::string module;   ///< path
  Address offset = 0;   ///< of the pc itself (a return address), as objdump shows it
  bool runtime = false; ///< of OpenMP's runtime, libc's start-up code or this checker
};

struct Variable {
  std::string name;
  SourcePlace declared;
  Address start = 0; ///< in the process; 0 where unknown
  std::uint64_t size = 0;
  std::string function; ///< of a stack variable: the function, where that was inlined into the one whose frame it is
};

class SymbolTable {
public:
  /// Innermost first, inlined ones included; one nameless frame for an address in no module.
  std::vector<Frame> frames(Address pc) const;
  /// All frames of a stack, less the runtimes' (unless nothing else is there), less the compiler's wrappers around an
  /// outlined body.
  std::vector<Frame> shown(const Stack& stack) const;
  /// The global variable that holds the address.
  std::optional<Variable> global(Address address) const;
  /// "app+0x4010" for data of a module that no variable is known at; empty for memory of no module.
  std::string place_in_module(Address address) const;
  /// The variable at an address that a finding with this object accesses, in the frame that owns the object.
  std::optional<Variable> local(const ObjectDescription& object, Address address) const;
  /// The variable of the function that makes the call, by the frame that the call shows.
  std::optional<Variable> local(const StackVariable& variable) const;
  /// What the compiler made of which construct, by its name for it, where that does not tell: gcc's are all alike.
  void label(const std::map<std::string, Outlined>& constructs);
  /// One line about what is missing and why; empty if all is well.
  const std::string& problem() const noexcept { return problem_; }

private:
  friend class SymbolCollector;
  std::map<Address, std::vector<Frame>> code_;
  std::map<Address, Variable> globals_;
  std::map<Address, std::string> unnamed_data_;
  std::map<Address, FrameLayout> layouts_; ///< by a pc of the function
  std::map<std::vector<Address>, std::optional<Variable>> frame_variables_;
  std::string problem_;
};

/// Symbols for every address that the document's findings name. `symbolizer`: see find_symbolizer. `frame_variables`:
/// the program of this name; empty where it is missing.
SymbolTable symbolize(const Document& document, const std::string& symbolizer, const std::string& frame_variables = {});

/// The same for each of the documents, whose addresses are asked in one go.
std::vector<SymbolTable> symbolize_each(const std::vector<const Document*>& documents, const std::string& symbolizer,
                                        const std::string& frame_variables);

/// Symbols for these addresses of code alone.
SymbolTable symbolize_code(const Document& document, const Stack& addresses, const std::string& symbolizer);

} // namespace fletcher::reports
