// SPDX-License-Identifier: MIT
#include <mylos/base/contract.hpp>

#include <string>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/version.hpp>

namespace mylos::inline MYLOS_ABI {

void internal_error(std::string_view what, std::source_location where) {
  throw Error(fmt::format("internal error at {}:{}: this should hold, but does not: {}: please report it, with Mylos' "
                          "version ({}) and the program that shows it",
                          where.file_name(), where.line(), what, version()),
              where);
}

}  // namespace mylos::inline MYLOS_ABI
