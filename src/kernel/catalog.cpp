// SPDX-License-Identifier: MIT
#include <mylos/kernel/catalog.hpp>

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

namespace mylos::inline MYLOS_ABI {

KernelInfo::KernelInfo(const detail::KernelBase* kernel, std::filesystem::path folder)
    : kernel_(kernel), folder_(std::move(folder)) {}

const CudaKernel& KernelInfo::cuda() const {
  if (const CudaKernel* port = kernel_->cuda()) return *port;
  throw LookupError(
      fmt::format("kernel '{0}' has no CUDA port: there is no {1}/{0}.cu: write it", name(), folder_.string()));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): its elements are moved from
KernelCatalog::KernelCatalog(std::vector<KernelInfo> kernels) {
  for (KernelInfo& kernel : kernels) {
    const std::string name = kernel.name();
    const auto [known, is_new] = kernels_.try_emplace(name, std::move(kernel));
    if (!is_new) {
      throw ValueError(
          fmt::format("catalog: two kernels are named '{}' (the other one in {}): a name stands for one kernel: "
                      "rename one folder",
                      name, known->second.folder().string()));
    }
  }
}

const KernelInfo& KernelCatalog::operator[](std::string_view name) const {
  const auto found = kernels_.find(name);
  if (found == kernels_.end()) {
    throw LookupError(fmt::format("catalog: there is no kernel '{}': the kernels are {}: check the name", name,
                                  fmt::join(names(), ", ")));
  }
  return found->second;
}

namespace {

template <class Kernels, class Predicate>
std::vector<std::string> names_where(const Kernels& kernels, Predicate holds) {
  std::vector<std::string> names;
  for (const auto& [name, kernel] : kernels) {
    if (holds(kernel)) names.push_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> KernelCatalog::names() const {
  return names_where(kernels_, [](const KernelInfo&) { return true; });
}

std::vector<std::string> KernelCatalog::with_cuda() const {
  return names_where(kernels_, [](const KernelInfo& kernel) { return kernel.has_cuda(); });
}

std::vector<std::string> KernelCatalog::without_cuda() const {
  return names_where(kernels_, [](const KernelInfo& kernel) { return !kernel.has_cuda(); });
}

std::vector<std::string> KernelCatalog::parity_cases() const {
  return names_where(kernels_, [](const KernelInfo& kernel) { return static_cast<bool>(kernel.parity()); });
}

std::string KernelCatalog::summary() const {
  constexpr std::size_t most = 10;
  std::vector<std::string> missing = without_cuda();
  const std::size_t ports = kernels_.size() - missing.size();
  std::string text = fmt::format("CUDA ports: {} of {} kernels", ports, kernels_.size());
  if (missing.empty()) return text;
  if (missing.size() > most) {
    const std::size_t more = missing.size() - most;
    missing.resize(most);
    missing.push_back(fmt::format("and {} more", more));
  }
  return text + fmt::format(" (missing: {})", fmt::join(missing, ", "));
}

int KernelCatalog::compile_all(const CompileAll& options) const {
  std::vector<detail::CompileTask> tasks;
  for (const std::string& name : with_cuda()) tasks.push_back({name, (*this)[name].cuda()});
  return detail::compile_together("catalog", std::move(tasks), options);
}

void KernelCatalog::check_signatures() const {
  if (log::enabled(log::Level::info)) log::info("catalog: what functors and ports take:\n" + signature_table());
  std::string problems;
  for (const std::string& name : with_cuda()) {
    try {
      (*this)[name].kernel_->check_signature();
    } catch (const Error& error) {
      problems += fmt::format("\n{}: {}", name, error.what());
    }
  }
  if (!problems.empty()) {
    throw SignatureError(fmt::format(
        "catalog: kernels whose functor and port cannot be called alike: a call runs one of the two: change "
        "them{}",
        problems));
  }
}

std::string KernelCatalog::signature_table() const {
  std::string table;
  for (const auto& [name, kernel] : kernels_) {
    table += fmt::format("{}{}", table.empty() ? "" : "\n", kernel.kernel_->signature_table());
  }
  return table;
}

void KernelCatalog::set_parity(std::string_view name, ParityCase parity) {
  static_cast<void>((*this)[name]);  // throws when there is none
  kernels_.find(name)->second.parity_ = std::move(parity);
}

}  // namespace mylos::inline MYLOS_ABI
