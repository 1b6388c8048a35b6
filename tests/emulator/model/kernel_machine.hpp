// SPDX-License-Identifier: MIT
// A launch of a kernel of the model, thread by thread: whoever drives it says which thread makes the next step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/model/evaluation.hpp"
#include "emulator/model/happens_before.hpp"
#include "emulator/model/kernel_model.hpp"

namespace mylos_test::model {

/// A kernel as a list of instructions with jumps.
class Program {
 public:
  struct Instruction {
    enum class Kind : std::uint8_t { statement, jump, jump_unless, end } kind;
    const Statement* statement = nullptr;  // jump_unless: its value decides
    std::size_t target = 0;
  };

  explicit Program(Kernel kernel);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  [[nodiscard]] const Instruction& at(std::size_t place) const { return instructions_[place]; }

 private:
  void add(const std::vector<Statement>& statements);
  void add(const Statement& statement);

  Kernel kernel_;
  std::vector<Instruction> instructions_;
};

/// Copies are launches that go on by themselves.
class Machine {
 public:
  /// `order`, where given, is told of all accesses and barriers.
  Machine(const Program& program, const Shape& shape, HappensBefore* order = nullptr);

  static std::size_t cells_of(const Kernel& kernel, const Shape& shape);

  /// Threads that can make a step, by number in the grid; none when all have left the kernel or there is trouble.
  [[nodiscard]] const std::vector<unsigned>& ready() const { return ready_; }
  /// One access to memory, or the arrival at a barrier or warp operation, and what follows of the thread's own.
  void step(unsigned thread);
  /// Why the run cannot go on: an access out of bounds, the use of an undefined value, threads that cannot meet.
  [[nodiscard]] const std::optional<std::string>& trouble() const { return trouble_; }
  [[nodiscard]] bool endless() const { return endless_; }

  /// All arrays in device memory, in order; nothing stands for what is undefined.
  [[nodiscard]] std::vector<std::vector<std::optional<Bits>>> outcome() const;
  /// Of everything that decides how the launch goes on.
  [[nodiscard]] std::size_t hash() const;

 private:
  struct Thread {
    std::size_t place = 0;
    std::size_t steps = 0;
    bool waiting = false, done = false;
    std::uint32_t mask = 0;
    Bits value = 0, other = 0;  // what it brings to where it waits
  };
  struct Cell {
    Bits value = 0;
    bool defined = false;
  };
  using Group = std::vector<unsigned>;

  [[nodiscard]] unsigned in_block(unsigned thread) const { return thread % shape_.threads; }
  [[nodiscard]] Bits value_of(unsigned thread, const Expression& expression) const;
  [[nodiscard]] const Statement& statement_of(unsigned thread) const;
  void assign(unsigned thread, const Statement& statement, Bits value);
  void settle(unsigned thread);
  void leave(unsigned thread);
  void fail(unsigned thread, const std::string& what);
  std::optional<std::size_t> cell_of(unsigned thread, const Statement& statement);
  void access(unsigned thread, const Statement& statement);
  void arrive(unsigned thread, const Statement& statement);
  void meet_block(unsigned thread);
  void meet_warp(unsigned thread);
  [[nodiscard]] bool fits(unsigned thread, unsigned other) const;
  void exchange(const Statement& statement, const Group& group);
  /// Whether all read from a lane that takes part.
  bool shuffle(const Statement& statement, const Group& group);
  void release(const Group& group);

  const Program* program_;
  Shape shape_;
  HappensBefore* order_;
  std::vector<std::size_t> begins_, sizes_;  // of each array
  std::size_t shared_cells_ = 0;             // of a block
  std::vector<Thread> threads_;
  std::vector<Bits> locals_;
  std::vector<Cell> cells_;
  std::vector<unsigned> ready_;
  std::optional<std::string> trouble_;
  bool endless_ = false;
};

}  // namespace mylos_test::model
