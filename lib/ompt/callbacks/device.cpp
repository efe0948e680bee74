// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target constructs and devices: device_*, target_emi, target_data_op_emi, target_submit_emi. The older events without
// endpoints say less and are not asked for.

#include "checker/access/check.hpp"
#include "checker/checker.hpp"
#include "lib/interpose/memory/device_blocks.hpp"
#include "lib/interpose/memory/heap_blocks.hpp"
#include "lib/interpose/memory/heap_registry.hpp"
#include "lib/interpose/openmp/target_images.hpp"
#include "lib/ompt/local.hpp"
#include "lib/tool/session.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>

namespace fletcher::ompt {

namespace {

/// The devices, as far as there is room, whose memory is the process's own: LLVM's plugin for the host's processor.
std::atomic<std::uint64_t> hosts{0};
std::uint64_t bit(int device) noexcept {
  return device >= 0 && device < 64 ? std::uint64_t{1} << static_cast<unsigned>(device) : 0;
}

void tell(DeviceStep step, int device) {
  const Entered at;
  listener->on(DeviceEvent{step, static_cast<std::uint64_t>(device)});
}

void on_device_initialize(int device, const char* type, ompt_device_t*, ompt_function_lookup_t, const char*) {
  if (type != nullptr && std::string_view(type) == "generic-64bit") hosts |= bit(device);
  tell(DeviceStep::initialize, device);
}
void on_device_finalize(int device) { tell(DeviceStep::finalize, device); }
void on_device_load(int device, const char*, std::int64_t, void*, std::size_t, void*, void*, std::uint64_t) {
  tell(DeviceStep::load, device);
}
/// It may be the address of something, of which each side has its own.
bool may_point(std::uint64_t value) {
  dl_find_object module;
  return _dl_find_object(reinterpret_cast<void*>(value), &module) == 0 || interpose::heap::find(value).has_value();
}

/// Both copies begin with the variable's initial value. Where they differ when the device gets its own, the host has
/// changed it before; nobody knows where.
void tell_declared(const Entered& at, std::int32_t device, const interpose::target_images::Declared& variable) {
  DataOp event{at.thread(),        at.task(), DataOpKind::associate, false, variable.on_host, -1,
               variable.on_device, device,    variable.size};
  listener->on(event);
  constexpr std::size_t piece = sizeof(std::uint64_t);
  for (std::size_t from = 0; from < variable.size; from += piece) {
    const std::size_t bytes = std::min(piece, variable.size - from);
    std::uint64_t ours = 0, theirs = 0;
    std::memcpy(&ours, reinterpret_cast<const void*>(variable.on_host + from), bytes);
    std::memcpy(&theirs, reinterpret_cast<const void*>(variable.on_device + from), bytes);
    if (ours == theirs || may_point(ours) || may_point(theirs)) continue;
    event.kind = DataOpKind::host_change;
    event.source = variable.on_host + from;
    event.bytes = bytes;
    listener->on(event);
  }
}

void tell_new_variables(const Entered& at, std::int32_t device) {
  for (const auto& variable : interpose::target_images::new_variables()) tell_declared(at, device, variable);
}

void on_device_unload(int device, std::uint64_t) { tell(DeviceStep::unload, device); }

/// The thread is at a construct that maps data: the runtime counts who uses the device's copies.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool maps = false;

void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t* task,
               ompt_data_t* target_task, ompt_data_t*, const void* codeptr_ra) {
  const Entered at;
  const TaskId of = task_of(Tag::of(target_task).empty() ? task : target_task, at);
  maps = (endpoint & ompt_scope_end) == 0 && kind != ompt_target_update && kind != ompt_target_update_nowait;
  if ((endpoint & ompt_scope_begin) != 0) tell_new_variables(at, device);
  if ((endpoint & ompt_scope_begin) != 0) listener->on(TargetRegion{at.thread(), of, true, device, code(codeptr_ra)});
  if ((endpoint & ompt_scope_end) != 0) listener->on(TargetRegion{at.thread(), of, false, device, code(codeptr_ra)});
}

DataOpKind data_op_kind(ompt_target_data_op_t kind) noexcept {
  switch (kind) {
  case ompt_target_data_alloc:
  case ompt_target_data_alloc_async:
    return DataOpKind::alloc;
  case ompt_target_data_transfer_to_device:
  case ompt_target_data_transfer_to_device_async:
    return DataOpKind::to_device;
  case ompt_target_data_transfer_from_device:
  case ompt_target_data_transfer_from_device_async:
    return DataOpKind::from_device;
  case ompt_target_data_delete:
  case ompt_target_data_delete_async:
    return DataOpKind::delete_;
  case ompt_target_data_associate:
    return DataOpKind::associate;
  case ompt_target_data_disassociate:
    return DataOpKind::disassociate;
  }
  return DataOpKind::memset;
}

/// What `target update` or a call copies, the program itself has to order with what the device does.
void access_copy(const DataOp& e) {
  access::ThreadState& thread = tool::session()->checker().thread(e.thread);
  if (e.kind == DataOpKind::to_device)
    access::check_range(thread, e.target, e.bytes, access::Kind::write, e.pc - 1);
  else if (e.kind == DataOpKind::from_device)
    access::check_range(thread, e.source, e.bytes, access::Kind::read, e.pc - 1);
}

void on_target_data_op(ompt_scope_endpoint_t endpoint, ompt_data_t* target_task, ompt_data_t*, ompt_id_t*,
                       ompt_target_data_op_t kind, void* source, int source_device, void* target, int target_device,
                       std::size_t bytes, const void* codeptr_ra) {
  const Entered at;
  DataOp event{at.thread(),
               task_of(target_task, at),
               data_op_kind(kind),
               false,
               code(source),
               source_device,
               code(target),
               target_device,
               bytes,
               code(codeptr_ra)};
  if (event.kind == DataOpKind::alloc) interpose::allocates_on_device = (endpoint & ompt_scope_end) == 0;
  const bool shared = event.kind == DataOpKind::alloc &&
                      (interpose::target_images::share_memory() || interpose::target_images::allocates_shared());
  if ((endpoint & ompt_scope_begin) != 0 && !shared) event.begin = true, listener->on(event);
  if ((endpoint & ompt_scope_begin) != 0 && !maps) access_copy(event);
  if ((endpoint & ompt_scope_begin) != 0 && event.kind == DataOpKind::delete_)
    interpose::device_blocks::died(event.source & ~Address{7});
  if ((endpoint & ompt_scope_end) == 0) return;
  if (!shared) event.begin = false, listener->on(event);
  // The device's memory manager keeps what it got and hands it out again, without malloc and free; in whole granules,
  // of which what is mapped need not begin with the first byte.
  if (event.kind != DataOpKind::alloc || (hosts & bit(target_device)) == 0) return;
  const Address begin = event.target & ~Address{7}, end = (event.target + bytes + 7) & ~Address{7};
  interpose::device_blocks::born({begin, end - begin, event.thread, at.place().team == TeamId::none});
  listener->on(MemoryBegin{event.thread, begin, end - begin, MemoryKind::mapping, event.pc});
}

void on_target_submit(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_id_t*, unsigned) {
  const Entered at;
  if ((endpoint & ompt_scope_begin) != 0) listener->on(KernelSubmit{at.thread(), at.task(), true});
  if ((endpoint & ompt_scope_end) != 0) listener->on(KernelSubmit{at.thread(), at.task(), false});
}

/// Never raised by LLVM's runtimes (they answer ompt_set_never); what is mapped is reported by the data operations.
void on_target_map(ompt_data_t*, unsigned, void**, void**, std::size_t*, unsigned*, const void*) {}

} // namespace

std::span<const Callback> device_callbacks() {
  static const std::array list{
      Callback{ompt_callback_device_initialize, as_callback<ompt_callback_device_initialize_t>(on_device_initialize),
               "device_initialize"},
      Callback{ompt_callback_device_finalize, as_callback<ompt_callback_device_finalize_t>(on_device_finalize),
               "device_finalize"},
      Callback{ompt_callback_device_load, as_callback<ompt_callback_device_load_t>(on_device_load), "device_load"},
      Callback{ompt_callback_device_unload, as_callback<ompt_callback_device_unload_t>(on_device_unload),
               "device_unload"},
      Callback{ompt_callback_target_emi, as_callback<ompt_callback_target_emi_t>(on_target), "target_emi"},
      Callback{ompt_callback_target_data_op_emi, as_callback<ompt_callback_target_data_op_emi_t>(on_target_data_op),
               "target_data_op_emi"},
      Callback{ompt_callback_target_submit_emi, as_callback<ompt_callback_target_submit_emi_t>(on_target_submit),
               "target_submit_emi"},
      Callback{ompt_callback_target_map_emi, as_callback<ompt_callback_target_map_emi_t>(on_target_map),
               "target_map_emi"},
  };
  return list;
}

} // namespace fletcher::ompt
