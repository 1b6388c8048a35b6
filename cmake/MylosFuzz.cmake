# SPDX-License-Identifier: MIT
# Tests by clang's libFuzzer, which changes inputs at random and keeps those that reach new code.

find_program(MYLOS_FUZZ_COMPILER NAMES clang++-19 clang++ DOC "clang++ (>= 16) with libFuzzer, for the tests that fuzz")

# The words that call it, for other tests by clang too: mylos_clang_command. Of itself clang takes the newest GCC that
# there is something of, also one without a C++ library.
set(mylos_clang_command ${MYLOS_FUZZ_COMPILER})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -print-libgcc-file-name
    OUTPUT_VARIABLE _mylos_libgcc
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  get_filename_component(_mylos_libgcc "${_mylos_libgcc}" DIRECTORY)
  list(APPEND mylos_clang_command --gcc-install-dir=${_mylos_libgcc})
endif()

# Whether it can be used here; `reason` when not.
function(_mylos_can_fuzz result reason)
  set(${result} FALSE PARENT_SCOPE)
  if(NOT MYLOS_FUZZ_COMPILER)
    set(${reason} "there is no clang++" PARENT_SCOPE)
    return()
  elseif(MYLOS_FUZZ_PROBED STREQUAL MYLOS_FUZZ_COMPILER)
    set(${result} TRUE PARENT_SCOPE)
    return()
  endif()
  set(probe ${PROJECT_BINARY_DIR}/fuzz_probe)
  file(
    WRITE ${probe}.cpp
    "#include <source_location>\n"
    "extern \"C\" int LLVMFuzzerTestOneInput(const char*, unsigned long) {\n"
    "  return std::source_location::current().line() == 0;\n"
    "}\n"
  )
  execute_process(
    COMMAND ${mylos_clang_command} -std=c++20 -fsanitize=fuzzer,address,undefined ${probe}.cpp -o ${probe}
    RESULT_VARIABLE failed
    OUTPUT_QUIET
    ERROR_QUIET
  )
  if(failed)
    set(
      ${reason}
      "${MYLOS_FUZZ_COMPILER} is older than 16, or has no libFuzzer or no C++ library (Debian: libclang-rt-19-dev)"
      PARENT_SCOPE
    )
  else()
    set(${result} TRUE PARENT_SCOPE)
    set(MYLOS_FUZZ_PROBED ${MYLOS_FUZZ_COMPILER} CACHE INTERNAL "The compiler that was found to work")
  endif()
endfunction()

# mylos_add_fuzz_test(<module> <name> SOURCES <cpp, from the root, with those of the library that it takes...>)
# The target <name>_fuzz, and the tests <module>.<name>_fuzz.seconds, and .million with the label "long". Inputs are in
# <name>_corpus/, words that are put into them in <name>.dict; what is found is kept in the build folder, where
# `<name>_fuzz -merge=1 <name>_corpus found` takes what is worth keeping.
function(mylos_add_fuzz_test module name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES")
  set(test ${MYLOS_TEST_PREFIX}${module}.${name}_fuzz)
  _mylos_can_fuzz(can_fuzz reason)
  if(MYLOS_SANITIZE) # it brings its own
    return()
  elseif(NOT can_fuzz)
    mylos_add_skipped_test(${test}.seconds "${reason}" ${module})
    return()
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}_fuzz)
  set(sanitizers -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
  set(objects "")
  foreach(source IN LISTS arg_SOURCES)
    string(REPLACE "/" "_" object ${source})
    set(object ${folder}/${object}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND
        ${CMAKE_CXX_COMPILER_LAUNCHER} ${mylos_clang_command} -std=c++20 -O1 -g1 ${sanitizers} -DFMT_HEADER_ONLY
        -I${PROJECT_SOURCE_DIR}/tests -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include
        -I${PROJECT_BINARY_DIR}/include -MD -MF ${object}.d -c ${PROJECT_SOURCE_DIR}/${source} -o ${object}
      DEPENDS ${PROJECT_SOURCE_DIR}/${source}
      DEPFILE ${object}.d
      COMMENT "Compiling ${source} for fuzzing"
      VERBATIM
    )
    list(APPEND objects ${object})
  endforeach()
  add_custom_command(
    OUTPUT ${folder}/${name}_fuzz
    COMMAND ${mylos_clang_command} ${sanitizers} ${objects} -o ${folder}/${name}_fuzz
    DEPENDS ${objects}
    VERBATIM
  )
  add_custom_target(${name}_fuzz ALL DEPENDS ${folder}/${name}_fuzz)

  file(MAKE_DIRECTORY ${folder}/found)
  foreach(case IN ITEMS "seconds=-max_total_time=20" "million=-runs=1000000")
    string(REGEX MATCH "^([a-z]+)=(.*)$" matched ${case})
    add_test(
      NAME ${test}.${CMAKE_MATCH_1}
      COMMAND
        ${folder}/${name}_fuzz ${CMAKE_MATCH_2} -timeout=10 -max_len=2048 -print_final_stats=1
        -dict=${CMAKE_CURRENT_SOURCE_DIR}/${name}.dict -artifact_prefix=${folder}/ ${folder}/found
        ${CMAKE_CURRENT_SOURCE_DIR}/${name}_corpus
    )
    set_tests_properties(
      ${test}.${CMAKE_MATCH_1}
      PROPERTIES TIMEOUT 7200 LABELS ${module} RESOURCE_LOCK ${test}
    )
  endforeach()
  set_tests_properties(${test}.seconds PROPERTIES TIMEOUT 120)
  set_tests_properties(${test}.million PROPERTIES LABELS long)
endfunction()
