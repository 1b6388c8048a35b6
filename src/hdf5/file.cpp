// SPDX-License-Identifier: MIT
#include <mylos/hdf5/file.hpp>

#include <exception>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/log.hpp>

#include "base/texts.hpp"
#include "hdf5/attributes.hpp"
#include "hdf5/calls.hpp"
#include "hdf5/claims.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/driver.hpp"

namespace mylos::inline MYLOS_ABI::hdf5 {

struct File::State {
  std::filesystem::path path;
  Mode mode;
  std::unique_ptr<const Claim> claim = {};
  std::unique_ptr<StagedFile> staged = {};
  Handle file = {};
  std::string damaged = {};  // what was being written when writing failed
  int exceptions = std::uncaught_exceptions();

  // An object of the open file, for reading.
  [[nodiscard]] Location at(std::string_view name) const {
    if (file.id() < 0) {
      throw Hdf5Error(fmt::format("file '{}' is closed: nothing can be done with it: open it again", path.string()));
    }
    if (const std::string& why = write_failure(file.id()); !why.empty()) {
      throw Hdf5Error(
          fmt::format("nothing more can be done with file '{}': it could not be written before: {}: make room on the "
                      "disk and open it again",
                      path.string(), why));
    }
    if (name.empty()) {
      throw Hdf5Error(
          fmt::format("an object of file '{}' was named by an empty text: every object has a name: use '/' "
                      "for the file itself",
                      path.string()));
    }
    return {file.id(), path, std::string(name)};
  }

  // The same for writing.
  [[nodiscard]] Location at_for_writing(std::string_view name) const {
    if (mode == Mode::read) {
      throw Hdf5Error(
          fmt::format("'{}' cannot be written: file '{}' was opened with Mode::read: open it with "
                      "Mode::read_write or Mode::append",
                      name, path.string()));
    }
    return at(name);
  }

  // Remembers a failure half way, so that a file that is not whole never takes its name.
  template <class F>
  void guarded(const Location& location, F&& write) {
    try {
      write();
    } catch (...) {
      damaged = location.name;
      throw;
    }
  }
};

namespace {

// base/files.hpp throws Error; here the cause is a file of HDF5's.
template <class F>
auto as_hdf5_error(F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    throw Hdf5Error(error.what());
  }
}

bool is_there(const std::filesystem::path& path) {
  std::error_code unreachable;
  return std::filesystem::exists(path, unreachable);
}

// HDF5 waits for pipes, and makes a new file of one that is empty instead of refusing it; most likely a killed program
// left it.
void require_content(const std::filesystem::path& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  std::string reason;
  if (!std::filesystem::status_known(status)) {
    reason = code.message();
  } else if (!std::filesystem::exists(status)) {
    reason = "there is no such file";
  } else if (std::filesystem::is_directory(status)) {
    reason = "it is a folder";
  } else if (!std::filesystem::is_regular_file(status)) {
    reason = "it is not a regular file";
  } else if (std::filesystem::file_size(path, code) == 0) {
    reason = "it is empty, not a complete HDF5 file";
  } else {
    return;
  }
  throw Hdf5Error(fmt::format("cannot open file '{}': {}: check the path", path.string(), reason));
}

Handle access_properties() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  // Closing a file fails, rather than to be put off, while anything of it is open.
  H5Pset_fclose_degree(properties.id(), H5F_CLOSE_SEMI);
  set_driver(properties.id());
  return properties;
}

Handle open_file(const std::filesystem::path& path, unsigned flags) {
  require_content(path);
  return {checked(H5Fopen(path.c_str(), flags, access_properties().id()), fmt::format("open file '{}'", path.string()),
                  "check that it is a complete HDF5 file that you may open so, and that nobody else writes it"),
          &H5Fclose};
}

Handle create_file(const std::filesystem::path& path, unsigned flags) {
  return {checked(H5Fcreate(path.c_str(), flags, H5P_DEFAULT, access_properties().id()),
                  fmt::format("create file '{}'", path.string()), "check that its folder exists and may be written"),
          &H5Fclose};
}

// Everything that HDF5 has in memory goes to the operating system, or nothing when there is no room.
void write_out(hid_t file, std::string_view action) {
  constexpr std::string_view hint = "make room on the disk; what was written since the last flush is not in the file";
  if (const int reason = reserve_room(file); reason != 0) {
    throw Hdf5Error(fmt::format("cannot {}: {}: {}", action, mylos::detail::system_reason(reason), hint));
  }
  checked(H5Fflush(file, H5F_SCOPE_GLOBAL), action, hint);
  if (const std::string& why = write_failure(file); !why.empty()) {
    throw Hdf5Error(fmt::format("cannot {}: {}: {}", action, why, hint));
  }
}

// Closes a file; what HDF5 has not written yet is lost.
void abandon(Handle& file) {
  discard_writes(file.id());
  file = {};
}

// A reader finds a whole file from the beginning on.
Handle create_for_appending(const std::filesystem::path& path) {
  if (path.empty()) throw Hdf5Error("cannot create file '': the path is empty: give the name of a file");
  Handle file = create_file(path, H5F_ACC_EXCL);
  try {
    write_out(file.id(), fmt::format("create file '{}'", path.string()));
  } catch (...) {
    abandon(file);
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    throw;
  }
  return file;
}

void refuse_existing(const std::filesystem::path& path) {
  std::error_code code;
  const auto status = std::filesystem::symlink_status(path, code);  // a link that leads nowhere is in the way as well
  if (!std::filesystem::exists(status) || !std::filesystem::status_known(status)) return;  // StagedFile says why not
  throw Hdf5Error(
      fmt::format("file '{}' exists already: Mode::create does not overwrite: remove it, or use "
                  "Mode::replace or Mode::append",
                  path.string()));
}

}  // namespace

File::File(std::filesystem::path path, Mode mode) : state_(std::make_unique<State>(State{std::move(path), mode})) {
  const Call call;
  State& state = *state_;
  switch (mode) {
    case Mode::read: state.file = open_file(state.path, H5F_ACC_RDONLY); break;
    case Mode::read_write:
      state.claim = std::make_unique<Claim>(state.path, Writing::in_place);
      state.file = open_file(state.path, H5F_ACC_RDWR);
      break;
    case Mode::append:
      state.claim = std::make_unique<Claim>(state.path, Writing::in_place);
      state.file = is_there(state.path) ? open_file(state.path, H5F_ACC_RDWR) : create_for_appending(state.path);
      break;
    case Mode::create: refuse_existing(state.path); [[fallthrough]];
    case Mode::replace:
      state.claim = std::make_unique<Claim>(state.path, Writing::aside);
      state.staged = as_hdf5_error([&] { return std::make_unique<StagedFile>(state.path); });
      state.file = create_file(state.staged->path(), H5F_ACC_TRUNC);
      break;
  }
}

File::File(File&&) noexcept = default;

File& File::operator=(File&& other) noexcept {
  File moved(std::move(other));
  std::swap(state_, moved.state_);
  return *this;
}

File::~File() {
  if (!state_) return;
  try {
    if (state_->staged && state_->file.id() >= 0 && std::uncaught_exceptions() > state_->exceptions) {
      const Call call;
      abandon(state_->file);
      log::info(fmt::format("file '{}' is not written: its scope was left by an exception", state_->path.string()));
      return;
    }
    close();
  } catch (...) {
    log::caught("a File was not closed properly at the end of its scope: call File::close to get such errors");
  }
}

File::State& File::state() const {
  if (state_) return *state_;
  throw Hdf5Error(
      "a File was used that was moved from: it holds no file any more: use the File that it was moved to, or assign a "
      "new one");
}

const std::filesystem::path& File::path() const { return state().path; }
Mode File::mode() const { return state().mode; }

void File::close() {
  State& state = this->state();
  if (state.file.id() < 0) return;
  const Call call;
  const std::unique_ptr<const Claim> claim = std::move(state.claim);
  const std::unique_ptr<StagedFile> staged = std::move(state.staged);  // discarded unless it is published
  if (staged && !state.damaged.empty()) {
    abandon(state.file);
    throw Hdf5Error(
        fmt::format("file '{}' is not put in its place: writing '{}' failed before, so it is not whole: "
                    "write all of it into a new File",
                    state.path.string(), state.damaged));
  }
  const std::string action = fmt::format("close file '{}'", state.path.string());
  try {
    if (state.mode != Mode::read) write_out(state.file.id(), action);
  } catch (...) {
    abandon(state.file);
    throw;
  }
  checked(H5Fclose(state.file.release()), action, "check that the disk has space");
  if (staged) {
    as_hdf5_error([&] { staged->publish(state.mode == Mode::create ? IfExists::refuse : IfExists::replace); });
  }
}

void File::flush() {
  const Call call;
  const Location location = state().at_for_writing("/");
  write_out(location.file, fmt::format("flush file '{}'", state().path.string()));
}

bool File::exists(std::string_view name) const {
  const Call call;
  return link_exists(state().at(name));
}

std::vector<std::string> File::list(std::string_view name) const {
  const Call call;
  const Location location = state().at(name);
  const std::string action = "list group " + location.text();
  require_groups_above(location);
  const Handle group(
      checked(H5Gopen2(location.file, location.name.c_str(), H5P_DEFAULT), action, "check that it is a group"),
      &H5Gclose);
  H5G_info_t info = {};
  checked(H5Gget_info(group.id(), &info), action, "check that the file is complete");
  std::vector<std::string> names(info.nlinks);
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto name_of = [&](char* text, std::size_t size) {
      return checked(H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, text, size, H5P_DEFAULT),
                     action, "check that the file is complete");
    };
    names[i].resize(static_cast<std::size_t>(name_of(nullptr, 0)));
    name_of(names[i].data(), names[i].size() + 1);
  }
  return names;
}

std::vector<std::int64_t> File::extents(std::string_view name) const {
  const Call call;
  const Location location = state().at(name);
  return dataset_extents(location, open_dataset(location).id());
}

std::vector<std::int64_t> File::extents(std::string_view name, int rank) const {
  std::vector<std::int64_t> found = extents(name);
  if (static_cast<int>(found.size()) == rank) return found;
  const Call call;
  throw Hdf5Error(fmt::format("dataset {} has extents {}: that is rank {}, not {}: ask for read<T, {}>",
                              state().at(name).text(), mylos::detail::tuple_text(found), found.size(), rank,
                              found.size()));
}

void File::write_array(std::string_view name, const detail::Array& array, const WriteOptions& options) {
  const Call call;
  const Location location = state().at_for_writing(name);
  const Handle dataset = prepare_dataset(location, array, options);
  state().guarded(location, [&] { write_dataset(location, dataset.id(), array, options.slab_bytes); });
}

void File::read_array(std::string_view name, const detail::Array& array, const ReadOptions& options) const {
  const Call call;
  read_dataset(state().at(name), array, options.slab_bytes);
}

void File::append_array(std::string_view name, const detail::Array& row) {
  const Call call;
  const Location location = state().at_for_writing(name);
  const Handle dataset = prepare_rows(location, row);
  state().guarded(location, [&] { append_row(location, dataset.id(), row); });
}

void File::attribute(std::string_view object, std::string_view name, std::string_view text) {
  const Call call;
  hdf5::write_attribute({state().at_for_writing(object), std::string(name)}, text);
}

void File::write_attribute(std::string_view object, std::string_view name, const detail::Array& array) {
  const Call call;
  hdf5::write_attribute({state().at_for_writing(object), std::string(name)}, array);
}

void File::read_attribute(std::string_view object, std::string_view name, const detail::Array& array) const {
  const Call call;
  hdf5::read_attribute({state().at(object), std::string(name)}, array);
}

std::string File::read_text(std::string_view object, std::string_view name) const {
  const Call call;
  return read_text_attribute({state().at(object), std::string(name)});
}

std::vector<std::int64_t> File::attribute_extents(std::string_view object, std::string_view name) const {
  const Call call;
  return hdf5::attribute_extents({state().at(object), std::string(name)});
}

bool File::has_attribute(std::string_view object, std::string_view name) const {
  const Call call;
  return attribute_exists({state().at(object), std::string(name)});
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
