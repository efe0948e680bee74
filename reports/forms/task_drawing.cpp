// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/forms/task_drawing.hpp"

#include "reports/document/words.hpp"
#include "reports/forms/markup.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace fletcher::reports {

namespace {

// In pixels.
constexpr std::size_t box_width = 210, box_height = 44, gap = 30, row_height = box_height + 34, margin = 6;
constexpr std::size_t widest_text = 30;   ///< letters in a box
constexpr std::size_t shared_above = 1;   ///< ancestors drawn above the task that created both
constexpr std::size_t longest_branch = 5; ///< tasks of one lineage below it; more are one box
constexpr std::size_t label_room = 48;    ///< for the line that tells what is missing

struct Box {
  std::string kind; ///< of the page's style: "task", "access", "more"
  std::string head, place;
  TaskId id = TaskId::none;
  std::vector<std::size_t> inner; ///< what the task created, and did
  std::size_t row = 0, middle = 0;
};

std::string shortened(std::string text) {
  if (text.size() <= widest_text) return text;
  return "..." + text.substr(text.size() - widest_text + 3); // the end of a file's name says more
}

class Drawing {
public:
  explicit Drawing(const SourceText& sources) : sources_(sources) {}

  void draw_tree(const std::vector<Participant>& participants) {
    std::vector<std::vector<LineageTask>> lineages; // outermost first
    for (const Participant& one : participants) lineages.emplace_back(one.tasks.rbegin(), one.tasks.rend());
    const std::size_t shared = shared_by_all(lineages);
    const std::size_t left_out = shared > shared_above + 1 ? shared - shared_above - 1 : 0;
    for (std::size_t i = 0; i < participants.size(); ++i) {
      const std::span<const LineageTask> lineage(lineages[i]);
      std::size_t* at = nullptr;
      std::size_t box = 0;
      const auto enter = [&](std::size_t next) { box = next, at = &box; };
      for (const LineageTask& task : lineage.subspan(left_out, shared - left_out)) enter(task_box(at, task));
      auto branch = lineage.subspan(shared);
      if (branch.size() > longest_branch) {
        const std::size_t hidden = branch.size() - longest_branch + 1;
        std::size_t tasks = hidden;
        for (const LineageTask& task : branch.first(hidden + 1)) tasks += task.skipped;
        enter(new_box(at, {"more", plural(tasks, "task"), "", TaskId::none, {}}));
        branch = branch.subspan(hidden);
      }
      for (const LineageTask& task : branch) enter(task_box(at, task));
      acts_.push_back(new_box(at, {"access", participants[i].act, words(participants[i].place), TaskId::none, {}}));
    }
  }

  std::string svg(bool unordered) {
    for (const std::size_t root : roots_) place(root, 0);
    for (const Box& box : boxes_) rows_ = std::max(rows_, box.row + 1);
    const std::size_t width = columns_ * (box_width + gap) - gap + 2 * margin;
    const std::size_t last = unordered ? row_height + label_room : box_height; // else it has no edges
    const std::size_t height = (rows_ - 1) * row_height + last + 2 * margin;
    std::string out = "<svg class=\"tasks\" role=\"img\" width=\"" + text(width) + "\" height=\"" + text(height) +
                      "\" viewBox=\"0 0 " + text(width) + " " + text(height) + "\">\n<title>" +
                      "The tasks of this finding, and the tasks that created them</title>\n";
    for (const Box& box : boxes_)
      for (const std::size_t inner : box.inner)
        out += "<path class=\"edge\" d=\"M" + text(box.middle) + " " + text(bottom(box)) + " L" +
               text(boxes_[inner].middle) + " " + text(top(boxes_[inner])) + "\"/>\n";
    for (const Box& box : boxes_) out += drawn(box);
    if (unordered && acts_.size() > 1) out += missing_order(boxes_[acts_[0]], boxes_[acts_[1]]);
    return out + "</svg>\n";
  }

private:
  static std::string text(std::size_t number) { return std::to_string(number); }
  static std::size_t top(const Box& box) { return margin + box.row * row_height; }
  static std::size_t bottom(const Box& box) { return top(box) + box_height; }

  std::string words(const SourcePlace& place) const {
    return place.known() ? one_line(sources_.shown(place.file)) + ":" + std::to_string(place.line) : std::string();
  }

  static std::size_t shared_by_all(const std::vector<std::vector<LineageTask>>& lineages) {
    std::size_t shared = 0;
    const auto same = [&](const std::vector<LineageTask>& one) {
      return shared < one.size() && one[shared].id != TaskId::none && one[shared].id == lineages.front()[shared].id;
    };
    while (std::all_of(lineages.begin(), lineages.end(), same)) ++shared;
    return shared;
  }

  std::size_t new_box(const std::size_t* around, Box box) {
    boxes_.push_back(std::move(box));
    (around == nullptr ? roots_ : boxes_[*around].inner).push_back(boxes_.size() - 1);
    return boxes_.size() - 1;
  }

  std::size_t task_box(const std::size_t* around, const LineageTask& task) {
    for (const std::size_t known : around == nullptr ? roots_ : boxes_[*around].inner)
      if (task.id != TaskId::none && boxes_[known].id == task.id) return known;
    const std::string created = words(task.created);
    return new_box(around, {"task", task.name, created.empty() ? "" : "from " + created, task.id, {}});
  }

  /// Depth first: what has nothing within gets the next column, what is around others their middle.
  void place(std::size_t index, std::size_t row) {
    boxes_[index].row = row;
    for (const std::size_t inner : boxes_[index].inner) place(inner, row + 1);
    const auto& inner = boxes_[index].inner;
    boxes_[index].middle = inner.empty() ? margin + columns_++ * (box_width + gap) + box_width / 2
                                         : (boxes_[inner.front()].middle + boxes_[inner.back()].middle) / 2;
  }

  static std::string drawn(const Box& box) {
    const std::size_t left = box.middle - box_width / 2;
    const auto line = [&](const char* kind, const std::string& words, std::size_t down) {
      return "<text class=\"" + std::string(kind) + "\" x=\"" + text(box.middle) + "\" y=\"" + text(top(box) + down) +
             "\">" + escaped(shortened(words)) + "</text>\n";
    };
    std::string out = "<g class=\"" + box.kind + "\"><title>" + escaped(box.head + " " + box.place) +
                      "</title>\n<rect x=\"" + text(left) + "\" y=\"" + text(top(box)) + "\" width=\"" +
                      text(box_width) + "\" height=\"" + text(box_height) + "\" rx=\"6\"/>\n";
    out += line("head", box.head, box.place.empty() ? 27 : 19);
    if (!box.place.empty()) out += line("place", box.place, 35);
    return out + "</g>\n";
  }

  std::string missing_order(const Box& a, const Box& b) const {
    const std::size_t low = margin + rows_ * row_height + label_room / 2;
    const std::size_t middle = (a.middle + b.middle) / 2;
    return "<path class=\"missing\" d=\"M" + text(a.middle) + " " + text(bottom(a)) + " C" + text(a.middle) + " " +
           text(low) + " " + text(b.middle) + " " + text(low) + " " + text(b.middle) + " " + text(bottom(b)) +
           "\"/>\n<text class=\"missing\" x=\"" + text(middle) + "\" y=\"" + text(low + 8) + "\">not ordered</text>\n";
  }

  const SourceText& sources_;
  std::vector<Box> boxes_;
  std::vector<std::size_t> roots_, acts_;
  std::size_t columns_ = 0, rows_ = 0;
};

} // namespace

std::string task_drawing(const Diagnostic& diagnostic, const SourceText& sources) {
  const auto& all = diagnostic.participants;
  if (all.empty() || std::any_of(all.begin(), all.end(), [](const Participant& one) { return one.tasks.empty(); }))
    return {};
  Drawing drawing(sources);
  drawing.draw_tree(all);
  return drawing.svg(diagnostic.rule == Rule::data_race);
}

} // namespace fletcher::reports
