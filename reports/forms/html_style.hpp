// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the web page looks, in light and dark.
#pragma once

#include <string_view>

namespace fletcher::reports {

inline constexpr std::string_view html_style = R"(
:root { color-scheme: light dark; --ink: #1c2330; --dim: #5c6675; --page: #fff; --panel: #f4f6f9; --line: #d5dbe4;
  --error: #b3261e; --warning: #8a5a00; --good: #1b6e3c; --here: #fde8e6; --task: #e6eefb; --access: #fbe9d7; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --dim: #9aa5b4; --page: #14181e; --panel: #1d232b; --line: #36404c; --error: #ff8a80;
    --warning: #f2c063; --good: #7fd8a2; --here: #4a2522; --task: #22324c; --access: #4a3520; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 72rem;
  margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
a { color: inherit; } code, pre { font: 13px/1.45 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
.dim { color: var(--dim); } .error { color: var(--error); } .warning { color: var(--warning); }
ol.contents { padding-left: 3rem; max-height: 60vh; overflow-y: auto; } ol.contents li { margin: .25rem 0; }
section { border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: 1.25rem 0; }
.label { display: inline-block; border: 1px solid currentColor; border-radius: 4px; padding: 0 .4rem;
  font-size: .8rem; margin-right: .4rem; }
section, a.link { scroll-margin-top: 4rem; }
section { content-visibility: auto; contain-intrinsic-size: auto 40rem; } a.link { text-decoration: none; color: var(--dim); }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 1rem 0; position: sticky; top: 0;
  background: var(--page); padding: .5rem 0; z-index: 1; } .filter input[type=search] { flex: 1 1 14rem; }
.filter input, .filter select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
  border-radius: 4px; padding: .2rem .4rem; max-width: 20rem; } [hidden] { display: none !important; }
.part { margin: 1rem 0 0; } .part > p { margin: 0 0 .3rem; }
pre { background: var(--panel); border-radius: 6px; padding: .5rem 0; overflow-x: auto; margin: .3rem 0; }
pre span { display: block; padding: 0 .75rem; white-space: pre; } pre .here { background: var(--here); }
pre .added { color: var(--good); } pre .removed { color: var(--error); } details { margin: .3rem 0; } summary { cursor: pointer; color: var(--dim); }
details ol { margin: .2rem 0; } .drawing { overflow-x: auto; margin: 1rem 0 0; }
.tasks rect { stroke: var(--line); fill: var(--task); } .tasks .access rect { fill: var(--access); }
.tasks .more rect { fill: none; stroke-dasharray: 4 3; } .tasks text { text-anchor: middle; fill: var(--ink); }
.tasks .head { font-size: 13px; font-weight: 600; } .tasks .place { font-size: 11px; fill: var(--dim); }
.tasks .edge { stroke: var(--dim); fill: none; }
.tasks path.missing { stroke: var(--error); fill: none; stroke-width: 2; stroke-dasharray: 6 4; }
.tasks text.missing { fill: var(--error); font-size: 13px; }
)";

} // namespace fletcher::reports
