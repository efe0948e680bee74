// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether data that is set where it is first needed can be read while it is set: not where both sides come by a
// critical construct, or a mutex, with the test in it, and not where C++ sets it with a declaration.
#include "reports/repair/source/initialisation.hpp"
#include "reports/document/words.hpp"
#include "reports/repair/trial/versions.hpp"

namespace fletcher::reports {
namespace {

/// A static variable of a function gets its value where it is declared, and nowhere else.
bool is_initialised_once(const Code& code, std::uint32_t declared, const Initialisation& known) {
  return mentions(code.line(declared), "static") &&
         without_blanks(code.line(declared)).ends_with(without_blanks(known.variable + "=" + known.value + ";"));
}

} // namespace

std::optional<bool> is_read_uninitialised(const Diagnostic& race, const Version& version) {
  if (race.sites.size() != 2) return std::nullopt;
  const Site &one = race.sites[0], &other = race.sites[1];
  const Site &writer = is_write(one.type) ? one : other, &reader = is_write(one.type) ? other : one;
  const Code &before = version.unedited().code(), &code = version.code();
  if (writer.place.file != code.file() || reader.place.file != code.file()) return std::nullopt;
  const auto known = initialisation_around(before, writer.place.line);
  if (!known || !comes_by(before, *known, reader.place.line)) return std::nullopt;
  const auto write = version.line(writer.place.line), read = version.line(reader.place.line);
  if (!write) { // the statement is gone
    const auto declared = version.line(declared_static_at(before, *known));
    if (!declared) return std::nullopt;
    return !is_initialised_once(code, *declared, *known);
  }
  const auto now = initialisation_around(code, *write);
  if (!now || !read) return std::nullopt;
  const bool is_gone = known->outer && !now->outer && reader.place.line == known->outer->begin.line;
  return !(now->is_exclusive() && !now->outer && now->ends_by_value() && (is_gone || comes_by(code, *now, *read)));
}

} // namespace fletcher::reports
