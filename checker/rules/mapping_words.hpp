// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the messages of mapping-bug name the fault: what makes edits goes by these words, too.
#pragma once

#include <string_view>

namespace fletcher::rules::mapping_words {

inline constexpr std::string_view beyond = "of {object} that are mapped";
inline constexpr std::string_view of_mapped = "that are mapped"; // of `beyond`, where the object has its name
inline constexpr std::string_view undefined = "which nothing has written there";
inline constexpr std::string_view stale_on_device = "the host has changed it since it was copied there";
inline constexpr std::string_view stale_on_host = "the device has changed it, and nothing has copied it back";
inline constexpr std::string_view replaced = "what it had written there was replaced by the device's copy";
inline constexpr std::string_view undefined_on_host = "that were copied back from the device, where nothing had";
inline constexpr std::string_view freed = "comes after it was freed";
inline constexpr std::string_view not_mapped = "which is host memory and not mapped";

inline constexpr std::string_view changed_by_host = "the host changes it here";
inline constexpr std::string_view changed_by_device = "the device changes it here";
inline constexpr std::string_view unmapped_here = "it is unmapped here";

} // namespace fletcher::rules::mapping_words
