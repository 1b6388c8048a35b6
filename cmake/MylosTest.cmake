# SPDX-License-Identifier: MIT
# How tests are declared. tests/<module>/<header>_test.cpp mirrors include/mylos/<module>/<header>.hpp.
find_package(GTest REQUIRED)
include(GoogleTest)

# mylos_add_test(<module> [KOKKOS] SOURCES <cpp...> [LINKS <targets...>] [TIMEOUT <seconds>] [LABEL <label>])
# One executable test_<module> of all the module's tests; every case is a test of its own in ctest.
# KOKKOS: main() starts Kokkos first (tests/support/kokkos_main.cpp).
function(mylos_add_test module)
  cmake_parse_arguments(arg "KOKKOS" "TIMEOUT;LABEL" "SOURCES;LINKS" ${ARGN})
  add_executable(test_${module} ${arg_SOURCES})
  if(arg_KOKKOS)
    target_sources(test_${module} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/kokkos_main.cpp)
    target_link_libraries(test_${module} PRIVATE GTest::gtest)
  else()
    target_link_libraries(test_${module} PRIVATE GTest::gtest_main)
  endif()
  target_link_libraries(test_${module} PRIVATE Mylos::mylos mylos_flags ${arg_LINKS})
  target_include_directories(test_${module} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL ${module})
  endif()
  gtest_discover_tests(
    test_${module}
    TEST_PREFIX ${MYLOS_TEST_PREFIX}${module}.
    TEST_FILTER "${MYLOS_TEST_FILTER}"
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABEL}
  )
endfunction()

# A test that cannot be here, and says why.
function(mylos_add_skipped_test name reason label)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped" LABELS ${label})
endfunction()
