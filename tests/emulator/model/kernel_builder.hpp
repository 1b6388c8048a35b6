// SPDX-License-Identifier: MIT
// Writes a kernel statement by statement: `const auto left = k.load(tile, thread_index - 1U);`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/model/kernel_model.hpp"

namespace mylos_test::model {

class Builder {
 public:
  explicit Builder(std::string name) { kernel_.name = std::move(name); }

  unsigned array(Array array) {
    kernel_.arrays.push_back(std::move(array));
    return static_cast<unsigned>(kernel_.arrays.size()) - 1;
  }
  unsigned shared(std::string name, std::size_t size, Type type = Type::u32) {
    return array({.name = std::move(name), .type = type, .shared = true, .constant = size});
  }

  unsigned new_local(Type type) {
    kernel_.locals.push_back(type);
    return static_cast<unsigned>(kernel_.locals.size()) - 1;
  }
  [[nodiscard]] Expression local(unsigned number) const { return {Op::local, kernel_.locals.at(number), {}, number}; }
  Expression variable(Expression first) {
    const unsigned number = new_local(first.type());
    add({.does = Does::assign, .local = number, .value = std::move(first)});
    return local(number);
  }
  void assign(const Expression& variable, Expression value) {
    add({.does = Does::assign, .local = static_cast<unsigned>(variable.node().value), .value = std::move(value)});
  }

  Expression load(unsigned array, Expression index) {
    return result(type_of(array), {.does = Does::load, .array = array, .index = std::move(index)});
  }
  void store(unsigned array, Expression index, Expression value) {
    add({.does = Does::store, .array = array, .index = std::move(index), .value = std::move(value)});
  }
  Expression atomic(Function function, unsigned array, Expression index, Expression value, Expression expected = {}) {
    return result(type_of(array), {.does = Does::atomic,
                                   .function = function,
                                   .array = array,
                                   .index = std::move(index),
                                   .value = std::move(value),
                                   .other = std::move(expected)});
  }
  Expression warp(Function function, Expression mask, Expression value, Expression lane = {}, unsigned width = 32) {
    const Type type = is_shuffle(function) ? value.type() : Type::u32;
    return result(type, {.does = Does::warp,
                         .function = function,
                         .width = width,
                         .value = std::move(value),
                         .other = std::move(lane),
                         .mask = std::move(mask)});
  }
  Expression barrier(Function function, Expression value) {
    return result(Type::u32, {.does = Does::barrier, .function = function, .value = std::move(value)});
  }
  void barrier() { add({.does = Does::barrier}); }
  void syncwarp(Expression mask = ~0U) { add({.does = Does::syncwarp, .mask = std::move(mask)}); }
  void fence() { add({.does = Does::fence}); }
  void leave() { add({.does = Does::leave}); }

  /// The bodies are functions that write what stands inside.
  template <class Then>
  void when(Expression condition, Then&& then) {
    add({.does = Does::branch, .value = std::move(condition), .then = written_by(then)});
  }
  template <class Then, class Otherwise>
  void when(Expression condition, Then&& then, Otherwise&& otherwise) {
    add({.does = Does::branch,
         .value = std::move(condition),
         .then = written_by(then),
         .otherwise = written_by(otherwise)});
  }
  template <class Body>
  void repeat(Expression condition, Body&& body) {
    add({.does = Does::repeat, .value = std::move(condition), .then = written_by(body)});
  }
  /// for (i = first; i < end; i += stride) body(i)
  template <class Body>
  void count(Expression first, Expression end, Expression stride, Body&& body) {
    const Expression i = variable(std::move(first));
    repeat(i < end, [&] {
      body(i);
      assign(i, i + stride);
    });
  }

  [[nodiscard]] const std::vector<Array>& arrays() const { return kernel_.arrays; }
  [[nodiscard]] Kernel finished() {
    kernel_.body = std::move(bodies_.back());
    return std::move(kernel_);
  }

 private:
  [[nodiscard]] Type type_of(unsigned array) const { return kernel_.arrays.at(array).type; }
  void add(Statement statement) { bodies_.back().push_back(std::move(statement)); }
  Expression result(Type type, Statement statement) {
    statement.local = new_local(type);
    const Expression value = local(statement.local);
    add(std::move(statement));
    return value;
  }
  template <class Body>
  std::vector<Statement> written_by(Body&& body) {
    bodies_.emplace_back();
    body();
    std::vector<Statement> statements = std::move(bodies_.back());
    bodies_.pop_back();
    return statements;
  }

  Kernel kernel_;
  std::vector<std::vector<Statement>> bodies_ = {{}};
};

}  // namespace mylos_test::model
