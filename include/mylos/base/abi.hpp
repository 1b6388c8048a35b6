// SPDX-License-Identifier: MIT
// What every header needs to declare a name: the inline ABI namespace and the mark of an exported symbol.
#pragma once

// Symbols of different minor versions must not meet in one process unnoticed, so all of Mylos lives in
// `namespace mylos::inline MYLOS_ABI`. Version 0.1 is v0_1; a test holds this equal to the project's version.
#define MYLOS_ABI v0_1

// The library is built with -fvisibility=hidden: a class or function that leaves it carries this mark.
#define MYLOS_EXPORT __attribute__((visibility("default")))
