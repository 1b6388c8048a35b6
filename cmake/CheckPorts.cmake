# SPDX-License-Identifier: MIT
# Script (cmake -P): stops when a .cu file has no __global__ function of its kernel's name.
#
#   cmake -DENTRIES=<kernel=path|kernel=path|...> -P CheckPorts.cmake
#
# A first look at the text, so that a misnamed kernel is found when it is built and not when it is called.
string(REPLACE "|" ";" entries "${ENTRIES}")
foreach(entry IN LISTS entries)
  string(REGEX MATCH "^([^=]+)=(.+)$" matched "${entry}")
  set(kernel "${CMAKE_MATCH_1}")
  set(file "${CMAKE_MATCH_2}")
  file(READ "${file}" text)
  if(NOT text MATCHES "__global__[^;{}]*[^A-Za-z0-9_]${kernel}[ \t\r\n]*\\(")
    message(
      FATAL_ERROR
      "${file}: it has no kernel '${kernel}': a port is named like its folder: "
      "write extern \"C\" __global__ void ${kernel}(...)"
    )
  endif()
endforeach()
