// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <mylos/transfers/counts.hpp>

namespace mylos::inline MYLOS_ABI::detail {

using Json = nlohmann::ordered_json;

/// Labels that are no UTF-8 are replaced, not refused.
[[nodiscard]] std::string json_text(const Json& value);
[[nodiscard]] Json json_of(const TransferCounts& counts);

}  // namespace mylos::inline MYLOS_ABI::detail
