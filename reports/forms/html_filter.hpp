// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The script of the web page: a line above the findings to search in them, and to choose by rule, file and severity.
// Without scripts the page has all findings and no such line.
#pragma once

#include <string_view>

namespace fletcher::reports {

inline constexpr std::string_view html_filter = R"js(
"use strict";
{
  const all = [...document.querySelectorAll("section")].map((section, i) => ({section, text: null,
    entry: document.querySelectorAll("ol.contents > li")[i]}));
  const bar = document.createElement("form"), count = document.createElement("span");
  bar.className = "filter";
  bar.addEventListener("submit", event => event.preventDefault());
  const add = (made, label) => { made.setAttribute("aria-label", label); bar.append(made); return made; };
  const search = add(document.createElement("input"), "Search in the findings");
  search.type = "search";
  search.placeholder = "Search";
  const choice = (key, every) => {
    const values = [...new Set(all.map(one => one.section.dataset[key]))].sort();
    if (values.length === 1) return null;
    const made = add(document.createElement("select"), every);
    made.append(new Option(every, ""), ...values.map(value => new Option(value, value)));
    made.addEventListener("change", show);
    return [key, made];
  };
  const choices = [choice("severity", "All severities"), choice("rule", "All rules"), choice("file", "All files")]
    .filter(one => one !== null);
  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter(word => word !== "");
    let shown = 0;
    for (const one of all) {
      if (words.length > 0 && one.text === null) one.text = one.section.textContent.toLowerCase();
      const fits = choices.every(([key, made]) => made.value === "" || one.section.dataset[key] === made.value) &&
        words.every(word => one.text.includes(word));
      one.section.hidden = one.entry.hidden = !fits;
      if (fits) ++shown;
    }
    count.textContent = shown === all.length ? "" : shown + " of " + all.length;
  }
  search.addEventListener("input", show);
  count.className = "dim";
  count.setAttribute("role", "status");
  bar.append(count);
  document.querySelector("ol.contents").before(bar);
}
)js";

} // namespace fletcher::reports
