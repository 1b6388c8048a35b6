# SPDX-License-Identifier: MIT
# Read by ctest before it runs anything: what holds for every test, programs that tests start among them.
# Kernels are kept beside this build, not in the folder of the person who tests. In a run over several builds, all of
# them share the first one's.
if(NOT DEFINED ENV{MYLOS_CACHE_DIR})
  set(ENV{MYLOS_CACHE_DIR} "${CMAKE_CURRENT_LIST_DIR}/kernel_cache")
endif()
# Projects that tests build are compiled through the same compiler cache as this one, if there is one.
if(NOT DEFINED ENV{CMAKE_CXX_COMPILER_LAUNCHER})
  set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "@CMAKE_CXX_COMPILER_LAUNCHER@")
endif()
