// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/checks/record_reads.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/llvm_versions.hpp"
#include "lib/pass/needless/checked.hpp"
#include "lib/pass/program_order.hpp"
#include "lib/pass/synchronisation.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <map>

namespace fletcher::pass {

using namespace llvm;

namespace {

constexpr std::int64_t granule = 8;
// Fewer granules are looked at faster one by one where the first cells record them; so many are looked at together.
constexpr std::int64_t least = 4, most = 16;

/// A read and its distance from the record's base.
struct Field {
  std::int64_t offset;
  Access access;
  std::int64_t end() const { return offset + static_cast<std::int64_t>(access.size); }
};

/// Reads at constant distances from one base, with nothing in between that could begin another strand or keep a later
/// one from being executed: all can be checked where the first one is.
struct Record {
  Value* base;
  Instruction* first;
  SmallVector<Field> fields; ///< by offset
};

// The table is the same in all iterations of the innermost loop, the place in it is another one each time.
bool is_scattered(const Access& access, const LoopInfo& loops, ScalarEvolution& evolution) {
  if (access.writes || (access.size != granule && access.size != 2 * granule) ||
      getLoadStoreAlignment(access.instruction).value() < granule)
    return false;
  const Loop* const loop = loops.getLoopFor(access.instruction->getParent());
  if (loop == nullptr) return false;
  const SCEV* const place = evolution.getSCEV(access.pointer);
  return evolution.isLoopInvariant(evolution.getPointerBase(place), loop) && !evolution.isLoopInvariant(place, loop) &&
         !evolution.hasComputableLoopEvolution(place, loop);
}

void find(BasicBlock& block, FunctionAnalysisManager& analyses, const Marks& marks, std::vector<Record>& records) {
  Function& function = *block.getParent();
  const LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  ScalarEvolution& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const DataLayout& layout = function.getParent()->getDataLayout();
  std::map<Value*, std::size_t> open; // records by their base
  for (Instruction& instruction : block) {
    if (may_synchronise(instruction) || !isGuaranteedToTransferExecutionToSuccessor(&instruction)) open.clear();
    const auto access = access_of(instruction);
    if (!access || marks.is_marked(instruction) || !is_scattered(*access, loops, evolution)) continue;
    APInt offset(layout.getIndexTypeSizeInBits(access->pointer->getType()), 0);
    Value* const base = access->pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
    const auto [known, is_new] = open.try_emplace(base, records.size());
    if (is_new) records.push_back({base, &instruction, {}});
    auto& fields = records[known->second].fields;
    fields.insert(std::ranges::upper_bound(fields, offset.getSExtValue(), {}, &Field::offset),
                  {offset.getSExtValue(), *access});
  }
}

/// `fields` cover `count` granules, side by side.
void insert(const Record& record, ArrayRef<Field> fields, std::int64_t count, const Marks& marks) {
  IRBuilder<> builder(record.first);
  const auto place = [&](std::int64_t offset) { return advanced(builder, record.base, builder.getInt64(offset)); };
  Value* const told = insert_question(builder, place(fields.front().offset), static_cast<std::uint64_t>(count));
  builder.SetInsertPoint(
      SplitBlockAndInsertIfThen(builder.CreateNot(told), record.first, false, unlikely(builder.getContext())));
  for (const auto& [offset, access] : fields) {
    Check check;
    check.first = place(offset);
    check.size = builder.getInt64(access.size);
    check.is_aligned = true;
    insert_check(builder, check, access.instruction->getDebugLoc()); // each field has its own place in the report
    marks.mark(*access.instruction);
  }
}

bool insert(const Record& record, const Marks& marks) {
  bool inserted = false;
  for (ArrayRef<Field> left = record.fields; !left.empty();) {
    const std::int64_t begin = left.front().offset;
    std::int64_t end = left.front().end();
    std::size_t taken = 1;
    for (; taken < left.size() && left[taken].offset <= end && left[taken].end() - begin <= most * granule; ++taken)
      end = std::max(end, left[taken].end());
    if (end - begin >= least * granule) {
      insert(record, left.take_front(taken), (end - begin) / granule, marks);
      inserted = true;
    }
    left = left.drop_front(taken);
  }
  return inserted;
}

} // namespace

PreservedAnalyses RecordReads::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread) || function.hasOptSize() || offloads(*function.getParent()))
    return PreservedAnalyses::all();
  const Marks marks(*function.getParent());
  std::vector<Record> records;
  for (BasicBlock& block : function) find(block, analyses, marks, records);
  bool inserted = false;
  for (const Record& record : records) inserted |= insert(record, marks);
  return inserted ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
