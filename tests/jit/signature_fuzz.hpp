// SPDX-License-Identifier: MIT
// What fuzzing calls; its inputs are in signature_corpus/.
#pragma once

#include <cstddef>
#include <cstdint>

/// Reads one input, and stops the program at a fault. The bytes are a text of any kind; behind a first byte of 1 they
/// are the choices that make a text of a known signature. Returns 0. (The name is libFuzzer's.)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
