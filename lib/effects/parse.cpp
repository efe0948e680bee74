// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/effects/parse.hpp"

#include "lib/effects/expressions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace fletcher::effects {

namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 11> kinds{{{"flag", Kind::flag},
                                                                   {"integer", Kind::integer},
                                                                   {"wide", Kind::wide},
                                                                   {"number", Kind::number},
                                                                   {"real", Kind::real},
                                                                   {"array", Kind::array},
                                                                   {"reals", Kind::reals},
                                                                   {"complexes", Kind::complexes},
                                                                   {"integers", Kind::integers},
                                                                   {"bytes", Kind::bytes},
                                                                   {"pointer", Kind::pointer}}};
constexpr std::array<std::pair<std::string_view, Convention>, 4> conventions{{{"fortran", Convention::fortran},
                                                                              {"cblas", Convention::cblas},
                                                                              {"lapacke", Convention::lapacke},
                                                                              {"c", Convention::c}}};

template <class List> auto look_up(const List& list, std::string_view word) {
  const auto at = std::ranges::find(list, word, [](const auto& entry) { return entry.first; });
  return at == list.end() ? std::nullopt : std::optional(at->second);
}

} // namespace

/// Declarations, functions and their effects.
class Parser : Expressions {
public:
  Parser(Tables& tables, std::string_view text)
      : Expressions(text, tables.instructions_, tables.parameters_), tables_(tables) {}

  void whole() {
    while (tokens_.now().kind != Token::Kind::end) {
      if (take_word("forms"))
        forms();
      else if (take_word("let"))
        declaration();
      else
        functions();
    }
  }

private:
  struct Declared {
    Kind kind;
    Presence presence;
  };

  // ---- declarations -------------------------------------------------------------------------------------------------

  void forms() {
    conventions_ = 0;
    while (goes_on()) {
      const Token name = word("the name of a form");
      const auto convention = look_up(conventions, name.text);
      if (!convention) fail(name, "fortran, cblas, lapacke or c");
      conventions_ |= static_cast<std::uint8_t>(1 << static_cast<int>(*convention));
    }
  }

  void declaration() {
    Presence presence = Presence::everywhere;
    if (take_word("fortran")) presence = Presence::fortran;
    if (take_word("workspace")) presence = Presence::workspace;
    const Kind kind = this->kind();
    expect(":");
    while (goes_on()) declared_[word("the name of a parameter").text] = {kind, presence};
  }

  Kind kind() {
    const Token name = word("the kind of a parameter");
    const auto known = look_up(kinds, name.text);
    if (!known) fail(name, "flag, integer, wide, number, real, array, reals, complexes, integers, bytes or pointer");
    return *known;
  }

  // ---- functions ----------------------------------------------------------------------------------------------------

  struct Name {
    char type;
    std::string_view name;
  };

  void functions() {
    const Token first = tokens_.now();
    const std::vector<Name> names = this->names();
    Function function{};
    function.conventions = conventions_;
    function.first_parameter = static_cast<std::uint16_t>(tables_.parameters_.size());
    parameters();
    function.parameters = static_cast<std::uint16_t>(tables_.parameters_.size() - function.first_parameter);
    current_ = function;
    function.first_effect = static_cast<std::uint16_t>(tables_.effects_.size());
    expect(":");
    when_ = {};
    while (goes_on()) clause(function);
    function.effects = static_cast<std::uint16_t>(tables_.effects_.size() - function.first_effect);
    for (const Effect& effect : std::span(tables_.effects_).subspan(function.first_effect))
      function.ordered |= effect.shape != Shape::vector;
    for (const Name& one : names) {
      function.name = one.name;
      function.type = one.type;
      tables_.functions_.push_back(function);
    }
    constexpr std::size_t most = 0xffff;
    if (std::max({tables_.functions_.size(), tables_.parameters_.size(), tables_.effects_.size(),
                  tables_.instructions_.size()}) > most)
      fail(first, "a smaller table");
  }

  /// "sdcz gemm gemm3m": each with each letter before it. "s:sdsdot": as it is. "solve": a function without a type.
  std::vector<Name> names() {
    std::vector<Token> words;
    std::vector<Name> names;
    const auto given = [&](const Token& type) {
      if (type.text.find_first_not_of("sdcz") != type.text.npos || type.text.size() != 1) fail(type, "s, d, c or z");
      names.push_back({type.text.front(), word("the name of a function").text});
    };
    while (!is_sign("(")) {
      const Token one = word("the name of a function");
      if (take_sign(":"))
        given(one);
      else
        words.push_back(one);
    }
    if (words.empty() && names.empty()) fail("the name of a function");
    if (words.size() == 1) names.push_back({0, words.front().text});
    for (std::size_t i = 1; i < words.size(); ++i)
      for (const char type : words.front().text) {
        if (std::string_view("sdcz").find(type) == std::string_view::npos)
          fail(words.front(), "letters of s, d, c and z before the names of functions");
        names.push_back({type, tables_.texts_.emplace_back(type + std::string(words[i].text))});
      }
    return names;
  }

  void parameters() {
    expect("(");
    if (take_sign(")")) return;
    do {
      const Token name = word("the name of a parameter");
      Parameter parameter{name.text, Kind::pointer, Presence::everywhere};
      if (take_sign(":")) {
        parameter.kind = kind();
      } else {
        const auto known = declared_.find(name.text);
        if (known == declared_.end())
          fail(name, "a parameter with its kind (name: kind), or one of which 'let' says it");
        parameter.kind = known->second.kind;
        parameter.presence = known->second.presence;
      }
      tables_.parameters_.push_back(parameter);
    } while (take_sign(","));
    expect(")");
  }

  void clause(Function& function) {
    const Token verb = word("when, reads, writes, updates, plans, executes, ends or permits");
    if (verb.text == "when") {
      when_ = expression();
    } else if (verb.text == "plans") {
      function.role = Role::plans;
    } else if (verb.text == "executes") {
      function.role = Role::executes;
    } else if (verb.text == "ends") {
      function.role = Role::ends;
    } else if (verb.text == "permits") {
      function.role = Role::permits;
    } else if (verb.text == "reads" || verb.text == "writes" || verb.text == "updates") {
      const Use use = verb.text == "reads" ? Use::reads : verb.text == "writes" ? Use::writes : Use::updates;
      do effect(use);
      while (take_sign(","));
    } else {
      fail(verb, "when, reads, writes, updates, plans, executes, ends or permits");
    }
  }

  // ---- effects ------------------------------------------------------------------------------------------------------

  void effect(Use use) {
    Effect effect{};
    effect.use = use;
    effect.parameter = parameter([](Kind kind) { return is_array(kind); }, "the name of a parameter that is an array");
    expect("(");
    if (take_word("packed")) {
      effect.shape = Shape::packed;
      effect.rows = expression();
    } else if (take_word("swaps")) {
      swapped(effect);
    } else {
      effect.rows = expression();
      if (take_word("x")) {
        effect.shape = Shape::matrix;
        effect.columns = expression();
      }
      if (take_word("by")) effect.step = expression();
      while (take_sign(",")) detail(effect);
    }
    expect(")");
    if (use == Use::writes && take_word("reading")) {
      if (!take_word("if")) fail("'if'");
      effect.reading = expression();
      effect.use = Use::updates;
    }
    effect.condition = when_;
    if (take_word("if")) {
      const Expression more = expression();
      effect.condition = when_.given() ? joined(when_, more) : more;
    }
    tables_.effects_.push_back(effect);
  }

  void swapped(Effect& effect) {
    effect.shape = Shape::swapped;
    effect.rows = expression();
    effect.columns = expression();
    if (!take_word("of")) fail("'of'");
    effect.above = expression();
    if (!take_word("by")) fail("'by'");
    effect.step = expression();
    expect(",");
    if (!take_word("pivots")) fail("'pivots'");
    effect.pivots = parameter([](Kind kind) { return kind == Kind::integers; }, "an array of integers");
    if (!take_word("by")) fail("'by'");
    effect.below = expression();
  }

  void detail(Effect& effect) {
    const Token name = word("transposed, triangle, unit, band or through");
    if (name.text == "transposed") {
      effect.transposed = flag();
    } else if (name.text == "triangle") {
      effect.triangle = flag();
      if (take_word("below")) effect.below = expression();
    } else if (name.text == "unit") {
      effect.unit = flag();
    } else if (name.text == "band") {
      effect.below = expression();
      effect.above = expression();
      effect.is_band = true;
    } else if (name.text == "through") {
      effect.through = expression();
    } else {
      fail(name, "transposed, triangle, unit, band or through");
    }
  }

  /// A parameter or a letter.
  std::uint8_t flag() {
    if (tokens_.now().kind == Token::Kind::letter)
      return static_cast<std::uint8_t>(letter_bit | static_cast<std::uint8_t>(tokens_.take().text.front()));
    return parameter([](Kind kind) { return kind == Kind::flag; }, "a flag or a letter");
  }

  template <class Fits> std::uint8_t parameter(Fits fits, const char* what) {
    const Token name = word(what);
    const auto found = index_of(name.text);
    if (!found || !fits(tables_.parameters_[current_.first_parameter + *found].kind)) fail(name, what);
    return *found;
  }

  Tables& tables_;
  std::uint8_t conventions_ = 1 << static_cast<int>(Convention::c);
  std::map<std::string_view, Declared> declared_;
  Expression when_;
};

std::vector<Mistake> Tables::add(std::string_view text) {
  try {
    Parser(*this, texts_.emplace_back(text)).whole();
    return {};
  } catch (const Mistake& mistake) {
    return {mistake};
  }
}

Table Tables::table() {
  std::ranges::sort(functions_, {}, &Function::name);
  return {functions_, parameters_, effects_, instructions_};
}

} // namespace fletcher::effects
