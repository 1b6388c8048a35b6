// SPDX-License-Identifier: MIT
#include "jit/nvrtc_messages.hpp"

#include <array>
#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <mylos/base/error.hpp>

#include "jit/record.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

// The first text of an answer.
constexpr std::string_view is_result = "result", is_compile_error = "CompileError", is_error = "Error";

void add_texts(RecordWriter& record, const std::vector<std::string>& texts) {
  record.add(std::uint64_t{texts.size()});
  for (const std::string& text : texts) record.add(text);
}

std::vector<std::string> texts_of(RecordReader& record) {
  std::vector<std::string> texts;
  for (std::uint64_t left = record.number(); left > 0 && !record.at_end(); --left) texts.push_back(record.text());
  return texts;
}

// Names and texts of headers, one after the other.
std::vector<std::string> flat(std::span<const NamedText> headers) {
  std::vector<std::string> texts;
  for (const NamedText& header : headers) {
    texts.emplace_back(header.name);
    texts.emplace_back(header.text);
  }
  return texts;
}

const cuda::Nvrtc& loaded(const std::string& library) {
  static auto* const libraries = new std::map<std::string, cuda::Nvrtc>;  // never unloaded: the process ends
  const std::array candidates = {library};
  return libraries->try_emplace(library, std::span<const std::string>(candidates)).first->second;
}

cuda::NvrtcResult compile(std::string_view packed_request) {
  RecordReader record(packed_request);
  const std::string library = record.text();
  cuda::NvrtcRequest request;
  request.text = record.text();
  request.file_name = record.text();
  request.options = texts_of(record);
  request.name_expressions = texts_of(record);
  const std::vector<std::string> texts = texts_of(record);
  if (!record.is_whole()) throw Error("a request to compile cannot be read: it is none of this version of Mylos");
  std::vector<NamedText> headers;
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) headers.push_back({texts[i], texts[i + 1]});
  request.headers = headers;
  return loaded(library).compile(request);
}

}  // namespace

std::string packed(const std::string& library, const cuda::NvrtcRequest& request) {
  RecordWriter record;
  record.add(library).add(request.text).add(request.file_name);
  add_texts(record, request.options);
  add_texts(record, request.name_expressions);
  add_texts(record, flat(request.headers));
  return record.bytes();
}

std::string answer_to(std::string_view packed_request) {
  try {
    const cuda::NvrtcResult result = compile(packed_request);
    RecordWriter record;
    record.add(is_result).add(std::uint64_t{result.compiled}).add(result.log).add(result.image);
    record.add(std::uint64_t{result.is_ptx});
    for (const auto& [expression, symbol] : result.lowered_names) record.add(expression).add(symbol);
    return record.bytes();
  } catch (const CompileError& error) {
    return RecordWriter().add(is_compile_error).add(error.what()).add(error.log()).bytes();
  } catch (const std::exception& error) {
    return RecordWriter().add(is_error).add(error.what()).bytes();
  }
}

cuda::NvrtcResult result_in(std::string_view answer) {
  RecordReader record(answer);
  const std::string kind = record.text();
  if (kind == is_compile_error) {
    const std::string message = record.text();
    throw CompileError(message, record.text());
  }
  if (kind == is_error) throw Error(record.text());
  cuda::NvrtcResult result;
  result.compiled = record.number() != 0;
  result.log = record.text();
  result.image = record.text();
  result.is_ptx = record.number() != 0;
  while (!record.at_end()) {
    std::string expression = record.text();
    result.lowered_names.emplace_back(std::move(expression), record.text());
  }
  if (kind != is_result || !record.is_whole()) {
    throw Error("the answer of a process that compiles cannot be read: it is none of this version of Mylos");
  }
  return result;
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
