// SPDX-License-Identifier: MIT
// How the command prints JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace mylos_command {

/// On several lines. Bytes that are no UTF-8, which paths may have, are replaced.
inline std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace mylos_command
