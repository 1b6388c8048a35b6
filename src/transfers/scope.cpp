// SPDX-License-Identifier: MIT
#include <mylos/transfers/scope.hpp>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

namespace mylos::inline MYLOS_ABI {

TransferScope::~TransferScope() {
  if (kokkos_.heard_all()) return;
  log::warning(
      "mylos::TransferScope: another tool took Kokkos' callbacks for copies while the scope counted, or paused them: "
      "copies that only Kokkos tells of may be missing: start the tool before the scope");
}

const TransferCounts& TransferScope::counts() const {
  counts_.complete = counts_.complete && kokkos_.heard_all();
  return counts_;
}

void TransferScope::reset() { counts_ = {}; }

void TransferScope::on_event(const CopyEvent& event) { counts_.add(event); }

void detail::require_no_transfers(const TransferCounts& counts, const NoTransfers& options,
                                  std::source_location place) {
  const bool copied = counts.to_host > 0 || counts.to_device > 0 || counts.fallback > 0;
  const bool waited = options.syncs && counts.sync > 0;
  if (!copied && !waited && counts.complete) return;
  const char* const what = copied   ? "there were transfers where none is allowed"
                           : waited ? "the host waited for the device where that is not allowed"
                                    : "whether there were transfers cannot be told";
  throw TransferError(fmt::format("mylos::assert_no_transfers: {}:\n{}", what, counts.report()), place);
}

}  // namespace mylos::inline MYLOS_ABI
