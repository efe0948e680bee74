// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/trial/change.hpp"

#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/source/source_text.hpp"

#include <algorithm>
#include <regex>
#include <utility>

namespace fletcher::reports {
namespace {

/// The directive that some lines are.
std::optional<DirectiveText> directive_of(const std::string& file, const std::string& lines) {
  SourceText text(".");
  text.put(file, lines);
  return DirectiveText::at(Code(file, text), 1);
}

/// Of loops whose iterations wait for each other: which ones do is more than the text tells.
bool is_doacross(const DirectiveText& directive) { return directive.is("ordered") && directive.stands_alone(); }

/// The line has code behind the column at which the extent ends, or before the one at which it begins.
bool is_around(const Extent& body, std::uint32_t line, const Code& code) {
  if (line < body.begin.line || line > body.end.line) return false;
  return line != body.end.line || !trimmed(code.line(line).substr(0, body.end.column)).empty();
}

/// What a line locks, or unlocks, and until where.
struct Locking {
  std::string lock;
  bool sets = true;
  bool in_block = false; ///< by an object of C++ that lives as long as the block
};

std::optional<Locking> locking(std::string_view line) {
  auto call = lock_call(line);
  if (!call) call = member_lock_call(line);
  if (call) return Locking{without_blanks(call->lock), !undone_by(call->function).empty()};
  std::string mutex = guarded_mutex(line);
  return mutex.empty() ? std::nullopt : std::optional(Locking{std::move(mutex), true, true});
}

/// What the line declares now, and only set before.
std::string declared_now(std::string_view before, std::string_view now) {
  const std::string_view name = first_word(trimmed(before));
  static const std::regex type(R"(^(?:(?:unsigned|signed|long|short|int|char|float|double|bool)\s+)+$)");
  now = trimmed(now);
  before = trimmed(before);
  if (name.empty() || !now.ends_with(before) || !trimmed(before.substr(name.size())).starts_with('=')) return {};
  const std::string_view added = now.substr(0, now.size() - before.size());
  return std::regex_match(added.begin(), added.end(), type) ? std::string(name) : std::string();
}

/// The line with a condition in front of its statement that one iteration, or one team, meets.
bool is_guarded(const Code& code, std::uint32_t line, const std::string& now) {
  const std::string text = without_blanks(now);
  const auto begin = text.find("if("), equal = text.find("==", begin), end = text.find(')', equal);
  if (begin == std::string::npos || equal == std::string::npos || end == std::string::npos) return false;
  for (auto close = end; close != std::string::npos; close = text.find(')', close + 1))
    if (text.substr(0, begin) + text.substr(close + 1) == without_blanks(code.original(line))) return true;
  return false;
}

} // namespace

std::optional<Change> Change::of(const std::vector<Edit>& edits, Codes& codes) {
  const auto other_file = [&](const Edit& one) { return one.place.file != edits.front().place.file; };
  if (edits.empty() || std::ranges::any_of(edits, other_file)) return std::nullopt;
  Change out(codes.of(edits.front().place.file));
  out.read_replaced(edits);
  out.read_inserted(edits);
  return out;
}

void Change::read_replaced(const std::vector<Edit>& edits) {
  std::map<std::uint32_t, std::string> texts;
  for (const Edit& edit : edits)
    if (edit.replaces) texts[edit.place.line] = edit.text;
  for (const auto& [line, text] : texts) {
    if (code_->directive_line(line).empty()) {
      replaced_.emplace(line, text);
      continue;
    }
    std::uint32_t first = line; // of a directive that goes on over several lines
    while (first > 1 && !DirectiveText::at(*code_, first)) --first;
    const auto old = DirectiveText::at(*code_, first);
    if (!old || old->last_line() < line) {
      changes_statements_ = true;
      continue;
    }
    std::string lines;
    for (std::uint32_t l = first; l <= old->last_line(); ++l) {
      const auto now = texts.find(l);
      lines += (now == texts.end() ? std::string(code_->original(l)) : now->second) + "\n";
    }
    directives_[first] = directive_of(code_->file(), lines);
    changes_statements_ |= directives_[first] && is_doacross(*directives_[first]);
  }
}

std::optional<Construct> Change::lengthened(std::uint32_t end) const {
  const auto brace = replaced_.find(end);
  if (brace == replaced_.end() || !brace->second.empty() || trimmed(code_->line(end)) != "}") return std::nullopt;
  const auto later = std::find_if(inserted_.upper_bound(end), inserted_.end(),
                                  [](const auto& one) { return trimmed(one.second) == "}"; });
  if (later == inserted_.end()) return std::nullopt;
  for (const DirectiveText& one : DirectiveText::around(*code_, end)) {
    const auto body = one.body(*code_);
    if (one.is("critical") && body && body->end.line == end)
      return Construct{one, {body->begin, {later->first, 0}}, one.first_line(), true};
  }
  return std::nullopt;
}

void Change::read_inserted(const std::vector<Edit>& edits) {
  std::vector<std::pair<DirectiveText, std::uint32_t>> heads; ///< of constructs whose body is not known yet
  for (const Edit& edit : edits) {
    if (edit.replaces) continue;
    const std::uint32_t line = edit.place.line;
    const auto directive = directive_of(code_->file(), edit.text);
    if (!directive)
      inserted_.emplace(line, edit.text);
    else if (is_doacross(*directive))
      changes_statements_ = true;
    else if (directive->stands_alone() && !directive->is("end"))
      waits_.push_back({*directive, line, true});
    else if (!directive->stands_alone())
      heads.emplace_back(*directive, line);
  }
  const auto is_brace = [](std::string_view text, char brace) { return text.size() == 1 && text.front() == brace; };
  for (const auto& [head, line] : heads) {
    const auto [begin, end] = inserted_.equal_range(line);
    const bool opens = std::any_of(begin, end, [&](const auto& one) { return is_brace(trimmed(one.second), '{'); });
    std::optional<Extent> body;
    if (opens || (!code_->is_c() && !head.is("atomic"))) {
      std::optional<std::uint32_t> last; // where it is closed
      for (const auto& [at, text] : inserted_)
        if (!last && opens && at > line && is_brace(trimmed(text), '}')) last = at;
      for (const Edit& edit : edits) {
        const auto other = edit.replaces || opens ? std::nullopt : directive_of(code_->file(), edit.text);
        if (!last && other && other->is("end") && edit.place.line > line) last = edit.place.line;
      }
      if (last) body = Extent{{line, 0}, {*last, 0}};
    } else if (begin != end && replaced_.contains(line - 1)) { // a statement that its head's line had before
      body = Extent{{line - 1, replaced_.find(line - 1)->second.size()}, {line, 0}};
    } else if (replaced_.contains(line)) {
      body = Extent{{line, 0}, {line + 1, 0}};
    } else {
      body = code_->statement_from({line, 0});
      if (body) body->begin = {line, 0}; // with the directive that may stand there
    }
    if (body)
      constructs_.push_back({head, *body, line, true});
    else
      changes_statements_ = true;
  }
  // What is left of other code: the rest of a line that was divided, braces, and locks.
  for (const auto& [line, text] : inserted_) {
    const auto head = replaced_.find(line - 1);
    const bool rest =
        head != replaced_.end() && without_blanks(head->second + text) == without_blanks(code_->original(line - 1));
    const std::string_view own = trimmed(text);
    if (!rest && !is_brace(own, '{') && !is_brace(own, '}') && !locking(own)) changes_statements_ = true;
  }
  for (const auto& [line, text] : replaced_) {
    const auto [begin, end] = inserted_.equal_range(line + 1);
    const bool divided = std::any_of(begin, end, [&](const auto& rest) {
      return without_blanks(text + rest.second) == without_blanks(code_->original(line));
    });
    if (auto longer = lengthened(line))
      constructs_.push_back(std::move(*longer));
    else if (std::string local = declared_now(code_->original(line), text); !local.empty())
      locals_[line] = std::move(local);
    else if (is_guarded(*code_, line, text))
      guarded_.insert(line);
    else if (!divided && !(locking(trimmed(code_->line(line))) && (text.empty() || locking(trimmed(text)))))
      changes_statements_ = true;
  }
}

bool Change::has_inserted(std::uint32_t line, std::string_view text) const {
  const auto [begin, end] = inserted_.equal_range(line);
  return std::any_of(begin, end, [&](const auto& one) { return trimmed(one.second) == text; });
}

bool Change::only_excludes() const {
  return waits_.empty() && directives_.empty() &&
         std::ranges::none_of(constructs_, [](const Construct& one) { return one.directive.is("taskgroup"); });
}

std::optional<DirectiveText> Change::directive_at(std::uint32_t line) const {
  const auto changed = directives_.find(line);
  return changed != directives_.end() ? changed->second : DirectiveText::at(*code_, line);
}

std::optional<Construct> Change::construct_at(std::uint32_t line) const {
  const auto old = DirectiveText::at(*code_, line);
  const auto now = old ? directive_at(line) : std::nullopt;
  auto body = now && !now->stands_alone() ? old->body(*code_) : std::nullopt;
  if (body && has_inserted(body->begin.line, "{") && has_inserted(body->end.line + 1, "}"))
    body->end = {body->end.line + 1, 0}; // what is inserted behind its statement belongs to it
  return body ? std::optional(Construct{*now, *body, line, is_changed(line)}) : std::nullopt;
}

std::vector<Construct> Change::around(std::uint32_t line) const {
  std::vector<Construct> out;
  for (const DirectiveText& old : DirectiveText::around(*code_, line)) {
    auto one = construct_at(old.first_line());
    if (one && is_around(one->body, line, *code_)) out.push_back(std::move(*one));
  }
  for (const Construct& one : constructs_)
    if (is_around(one.body, line, *code_)) out.push_back(one);
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.body.begin > b.body.begin; });
  return out;
}

std::vector<Wait> Change::waits_between(std::uint32_t from, std::uint32_t to) const {
  std::vector<Wait> out;
  for (const Wait& one : waits_)
    if (from < one.before && one.before <= to) out.push_back(one);
  for (std::uint32_t line = from + 1; line < to; ++line) {
    if (code_->directive_line(line).empty()) continue;
    const auto one = directive_at(line);
    if (one && one->stands_alone() && !one->is("end")) out.push_back({*one, line + 1, is_changed(line)});
  }
  return out;
}

bool Change::has_local(const std::string& name, std::uint32_t line) const {
  return std::any_of(locals_.begin(), locals_.end(), [&](const auto& local) {
    const auto blocks = code_->blocks_around(local.first);
    return local.second == name && local.first <= line && !blocks.empty() && blocks.front().contains(line);
  });
}

std::vector<std::string> Change::locks_at(std::uint32_t line) const {
  struct Held {
    std::string lock;
    std::optional<Extent> block;
  };
  std::vector<Held> held;
  const auto function = code_->function_around(line);
  const auto take = [&](std::string_view text, std::uint32_t at) {
    const auto one = locking(trimmed(text));
    if (!one) return;
    if (!one->sets) {
      const auto same = std::ranges::find(held, one->lock, &Held::lock);
      if (same != held.end()) held.erase(same);
      return;
    }
    const auto blocks = one->in_block ? code_->blocks_around(at) : std::vector<Extent>();
    held.push_back({one->lock, blocks.empty() ? std::nullopt : std::optional(blocks.front())});
  };
  for (std::uint32_t l = function ? function->begin.line : line; l <= line; ++l) {
    const auto [begin, end] = inserted_.equal_range(l);
    for (auto one = begin; one != end; ++one) take(one->second, l);
    const auto now = replaced_.find(l);
    if (l < line) take(now == replaced_.end() ? code_->line(l) : std::string_view(now->second), l);
  }
  std::vector<std::string> out;
  for (const Held& one : held) // an element of an array may be another lock each time
    if ((!one.block || one.block->contains(line)) && one.lock.find('[') == std::string::npos) out.push_back(one.lock);
  return out;
}

} // namespace fletcher::reports
