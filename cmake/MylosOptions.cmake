# SPDX-License-Identifier: MIT
# Every option of the build, in one place. docs/building.md describes them.
include(GNUInstallDirs)
include(CMakeDependentOption)

option(BUILD_SHARED_LIBS "Build shared libraries" ${PROJECT_IS_TOP_LEVEL})
option(MYLOS_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(MYLOS_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(MYLOS_BUILD_COMMAND "Build the command mylos, where CLI11 is found" ON)
option(MYLOS_BUILD_PERF "Build the benchmarks" OFF)
option(MYLOS_WERROR "Treat warnings of Mylos' own code as errors" OFF)
option(MYLOS_ENABLE_HDF5 "Build Mylos::hdf5" ON)
option(MYLOS_ENABLE_TESTING "Build Mylos::testing (needs GoogleTest)" ON)
option(MYLOS_ALLOW_UNTESTED_KOKKOS "Accept a Kokkos outside the tested range 4.5 to 5.2" OFF)
set(MYLOS_MODULES "" CACHE STRING "Which of Mylos::mylos' modules to build, for tests of them alone; empty: all")
set(MYLOS_TEST_MODULES "" CACHE STRING "Folders of tests/ to build; empty: all but the compile checks by nvcc")
set(MYLOS_TEST_FILTER "" CACHE STRING "Which of their GoogleTest cases are tests, as of --gtest_filter; empty: all")
set(MYLOS_TEST_PREFIX "" CACHE STRING "Put before the name of every test, to tell apart the builds of one ctest run")
set(MYLOS_PYTHON_ENV "" CACHE PATH "Python environment of the tests and plots; empty: the one that bootstrap made")
set(MYLOS_NVRTC_DEFAULT "" CACHE FILEPATH "NVRTC's library where the usual places have none; empty: bootstrap's")
set(MYLOS_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, e.g. address,undefined or thread")

if(NOT MYLOS_PYTHON_ENV AND EXISTS ${PROJECT_SOURCE_DIR}/build/deps/python/bin/python)
  set(MYLOS_PYTHON_ENV ${PROJECT_SOURCE_DIR}/build/deps/python)
endif()
if(MYLOS_PYTHON_ENV)
  set(Python3_ROOT_DIR ${MYLOS_PYTHON_ENV})
endif()

# The library remembers the file, and not the link in this clone: programs outlive it.
if(NOT MYLOS_NVRTC_DEFAULT)
  file(GLOB MYLOS_NVRTC_DEFAULT ${PROJECT_SOURCE_DIR}/build/deps/nvrtc/lib/libnvrtc.so.*)
  if(MYLOS_NVRTC_DEFAULT)
    list(GET MYLOS_NVRTC_DEFAULT 0 MYLOS_NVRTC_DEFAULT)
    file(REAL_PATH ${MYLOS_NVRTC_DEFAULT} MYLOS_NVRTC_DEFAULT)
  endif()
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(MYLOS_CCACHE ccache DOC "Compiler cache, used where it is found")
  if(MYLOS_CCACHE)
    # Paths inside the clone are relative for the cache, so that another clone finds what this one compiled.
    set(
      CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND}
      -E
      env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1
      ${MYLOS_CCACHE}
    )
  endif()
endif()
