// SPDX-License-Identifier: MIT
#include "emulator/model/kernel_machine.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace mylos_test::model {
namespace {

constexpr unsigned warp_size = 32;
constexpr std::size_t most_steps = 20000;  // of a thread: one that makes more never ends

}  // namespace

Program::Program(Kernel kernel) : kernel_(std::move(kernel)) {
  add(kernel_.body);
  instructions_.push_back({.kind = Instruction::Kind::end});
}

void Program::add(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) add(statement);
}

void Program::add(const Statement& statement) {
  using Kind = Instruction::Kind;
  const std::size_t begin = instructions_.size();
  if (statement.does == Does::leave) {
    instructions_.push_back({.kind = Kind::end});
  } else if (statement.does == Does::repeat) {
    instructions_.push_back({.kind = Kind::jump_unless, .statement = &statement});
    add(statement.then);
    instructions_.push_back({.kind = Kind::jump, .target = begin});
    instructions_[begin].target = instructions_.size();
  } else if (statement.does == Does::branch) {
    instructions_.push_back({.kind = Kind::jump_unless, .statement = &statement});
    add(statement.then);
    const std::size_t end_of_then = instructions_.size();
    instructions_.push_back({.kind = Kind::jump});
    instructions_[begin].target = instructions_.size();
    add(statement.otherwise);
    instructions_[end_of_then].target = instructions_.size();
  } else {
    instructions_.push_back({.kind = Kind::statement, .statement = &statement});
  }
}

std::size_t Machine::cells_of(const Kernel& kernel, const Shape& shape) {
  std::size_t cells = 0;
  for (const Array& array : kernel.arrays) cells += array.size(shape) * (array.shared ? shape.blocks : 1);
  return cells;
}

Machine::Machine(const Program& program, const Shape& shape, HappensBefore* order)
    : program_(&program), shape_(shape), order_(order) {
  const Kernel& kernel = program.kernel();
  // Arrays in device memory come first, then those of the first block, those of the second, ...
  for (const Array& array : kernel.arrays) {
    sizes_.push_back(array.size(shape));
    begins_.push_back(array.shared ? shared_cells_ : cells_.size());
    if (array.shared) {
      shared_cells_ += sizes_.back();
    } else {
      for (const Bits bits : initial_elements(array, shape)) {
        cells_.push_back({bits, array.content != Content::unwritten});
      }
    }
  }
  for (std::size_t i = 0; i < kernel.arrays.size(); ++i) begins_[i] += kernel.arrays[i].shared ? cells_.size() : 0;
  cells_.resize(cells_.size() + shared_cells_ * shape.blocks);
  threads_.resize(std::size_t{shape.blocks} * shape.threads);
  locals_.resize(threads_.size() * kernel.locals.size());
  for (unsigned i = 0; i < threads_.size(); ++i) ready_.push_back(i);
  for (unsigned i = 0; i < threads_.size(); ++i) settle(i);
}

Bits Machine::value_of(unsigned thread, const Expression& expression) const {
  return evaluate(expression, {.locals = locals_.data() + thread * program_->kernel().locals.size(),
                               .thread = in_block(thread),
                               .block = thread / shape_.threads,
                               .shape = &shape_});
}

const Statement& Machine::statement_of(unsigned thread) const {
  return *program_->at(threads_[thread].place).statement;
}

void Machine::assign(unsigned thread, const Statement& statement, Bits value) {
  if (statement.local != no_local) locals_[thread * program_->kernel().locals.size() + statement.local] = value;
}

void Machine::fail(unsigned thread, const std::string& what) {
  if (trouble_) return;
  trouble_ =
      what + " by thread " + std::to_string(in_block(thread)) + " of block " + std::to_string(thread / shape_.threads);
  ready_.clear();
}

/// Goes on with what no other thread can see, up to the next access or barrier.
void Machine::settle(unsigned thread) {
  using Kind = Program::Instruction::Kind;
  Thread& self = threads_[thread];
  while (!trouble_) {
    const Program::Instruction& next = program_->at(self.place);
    if (next.kind == Kind::end) return leave(thread);
    if (++self.steps > most_steps) {
      endless_ = true;
      return fail(thread, "a loop that does not end, run");
    }
    if (next.kind == Kind::jump) {
      self.place = next.target;
    } else if (next.kind == Kind::jump_unless) {
      self.place = value_of(thread, next.statement->value) != 0 ? self.place + 1 : next.target;
    } else if (next.statement->does == Does::assign) {
      assign(thread, *next.statement, value_of(thread, next.statement->value));
      ++self.place;
    } else {
      return;
    }
  }
}

void Machine::leave(unsigned thread) {
  threads_[thread].done = true;
  std::erase(ready_, thread);
  const unsigned first = thread - in_block(thread) % warp_size;
  const unsigned end = std::min(first + warp_size, (thread / shape_.threads + 1) * shape_.threads);
  for (unsigned other = first; other < end; ++other) {
    if (threads_[other].waiting && statement_of(other).does != Does::barrier) meet_warp(other);
  }
  const bool waits = std::ranges::any_of(threads_, &Thread::waiting);
  if (ready_.empty() && waits) fail(thread, "threads cannot meet after the last one was left");
}

std::optional<std::size_t> Machine::cell_of(unsigned thread, const Statement& statement) {
  const Array& array = program_->kernel().arrays[statement.array];
  const auto index = static_cast<std::uint32_t>(value_of(thread, statement.index));
  if (index >= sizes_[statement.array]) {
    fail(thread, "element " + std::to_string(index) + " of " + array.name + ", which is out of bounds, accessed");
    return std::nullopt;
  }
  const std::size_t cell =
      begins_[statement.array] + index + (array.shared ? thread / shape_.threads * shared_cells_ : 0);
  if (statement.does != Does::store && !cells_[cell].defined) {
    fail(thread, "element " + std::to_string(index) + " of " + array.name + ", which is undefined, used");
    return std::nullopt;
  }
  return cell;
}

void Machine::access(unsigned thread, const Statement& statement) {
  const auto number = cell_of(thread, statement);
  if (!number) return;
  Cell& cell = cells_[*number];
  if (statement.does == Does::load) {
    assign(thread, statement, cell.value);
    if (order_ != nullptr) order_->read(thread, *number);
    return;
  }
  const Bits value = value_of(thread, statement.value);
  if (statement.does == Does::store) {
    cell = {value, true};
    if (order_ != nullptr) order_->write(thread, *number);
    return;
  }
  const Bits expected = statement.other.given() ? value_of(thread, statement.other) : 0;
  const Bits old = cell.value;
  const Type type = program_->kernel().arrays[statement.array].type;
  cell.value = atomic_result(statement.function, type, old, value, expected);
  assign(thread, statement, old);
  if (order_ != nullptr) order_->atomic(thread, *number);
}

void Machine::step(unsigned thread) {
  const Statement& statement = statement_of(thread);
  switch (statement.does) {
    case Does::load:
    case Does::store:
    case Does::atomic: access(thread, statement); break;
    case Does::fence:
      if (order_ != nullptr) order_->fence(thread);
      break;
    default: return arrive(thread, statement);
  }
  if (trouble_) return;
  ++threads_[thread].place;
  settle(thread);
}

void Machine::arrive(unsigned thread, const Statement& statement) {
  Thread& self = threads_[thread];
  self.waiting = true;
  std::erase(ready_, thread);
  if (statement.value.given()) self.value = value_of(thread, statement.value);
  if (statement.other.given()) self.other = value_of(thread, statement.other);
  if (statement.does == Does::barrier) {
    meet_block(thread);
  } else {
    self.mask = static_cast<std::uint32_t>(value_of(thread, statement.mask));
    if ((self.mask >> in_block(thread) % warp_size & 1) == 0) return fail(thread, "a mask without the caller used");
    meet_warp(thread);
  }
  if (ready_.empty() && std::ranges::any_of(threads_, &Thread::waiting))
    fail(thread, "threads cannot meet, waited for");
}

void Machine::meet_block(unsigned thread) {
  const unsigned first = thread - in_block(thread);
  Group group;
  for (unsigned other = first; other < first + shape_.threads; ++other) {
    if (!threads_[other].waiting || threads_[other].place != threads_[thread].place) return;
    group.push_back(other);
  }
  exchange(statement_of(thread), group);
  release(group);
}

/// Whether two lanes wait for each other. __syncwarp() need not be the same one.
bool Machine::fits(unsigned thread, unsigned other) const {
  const Thread& one = threads_[thread];
  const Thread& two = threads_[other];
  if (!two.waiting || one.mask != two.mask) return false;
  return one.place == two.place ||
         (statement_of(thread).does == Does::syncwarp && statement_of(other).does == Does::syncwarp);
}

void Machine::meet_warp(unsigned thread) {
  const unsigned first = thread - in_block(thread) % warp_size;
  const unsigned block_end = (thread / shape_.threads + 1) * shape_.threads;
  Group group;
  for (unsigned lane = 0; lane < warp_size && first + lane < block_end; ++lane) {
    const unsigned other = first + lane;
    if ((threads_[thread].mask >> lane & 1) == 0 || threads_[other].done) continue;
    if (!fits(thread, other)) return;
    group.push_back(other);
  }
  const Statement& statement = statement_of(thread);
  if (!is_shuffle(statement.function)) {
    exchange(statement, group);
  } else if (!shuffle(statement, group)) {
    return;
  }
  release(group);
}

void Machine::exchange(const Statement& statement, const Group& group) {
  if (statement.does != Does::warp && order_ != nullptr) order_->meet(group);
  if (statement.function == Function::none) return;
  std::vector<Brought> brought;
  for (const unsigned thread : group) brought.push_back({in_block(thread) % warp_size, threads_[thread].value});
  for (const unsigned thread : group) {
    assign(thread, statement, combined(statement.function, brought, threads_[thread].value));
  }
}

bool Machine::shuffle(const Statement& statement, const Group& group) {
  for (const unsigned thread : group) {
    const std::uint32_t lane = in_block(thread) % warp_size;
    const std::uint32_t source =
        source_lane(statement.function, lane, static_cast<std::uint32_t>(threads_[thread].other), statement.width);
    const unsigned other = thread - lane + source;
    if (std::ranges::find(group, other) == group.end()) {
      fail(thread, "lane " + std::to_string(source) + ", which takes no part in a shuffle, read");
      return false;
    }
    assign(thread, statement, threads_[other].value);
  }
  return true;
}

void Machine::release(const Group& group) {
  for (const unsigned thread : group) {
    threads_[thread].waiting = false;
    ++threads_[thread].place;
    ready_.push_back(thread);
  }
  for (const unsigned thread : group) settle(thread);
}

std::vector<std::vector<std::optional<Bits>>> Machine::outcome() const {
  std::vector<std::vector<std::optional<Bits>>> result;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const Array& array = program_->kernel().arrays[i];
    if (array.shared) continue;
    std::vector<std::optional<Bits>> elements;
    for (std::size_t j = 0; j < sizes_[i]; ++j) {
      const Cell& cell = cells_[begins_[i] + j];
      elements.push_back(cell.defined ? std::optional(cell.value) : std::nullopt);
    }
    if (array.unordered) std::ranges::sort(elements);
    result.push_back(std::move(elements));
  }
  return result;
}

std::size_t Machine::hash() const {
  std::size_t result = 0;
  const auto add = [&](Bits value) {
    result = (result ^ std::hash<Bits>()(value)) * 0x9e3779b97f4a7c15U + (result >> 29);
  };
  for (const Thread& thread : threads_) {
    add(thread.place);
    add((thread.waiting ? 1U : 0U) + (thread.done ? 2U : 0U));
    add(thread.value);
    add(thread.other);
  }
  add(trouble_ ? 1 : 0);
  for (const Bits local : locals_) add(local);
  for (const Cell& cell : cells_) add(cell.defined ? cell.value + 1 : 0);
  return result;
}

}  // namespace mylos_test::model
