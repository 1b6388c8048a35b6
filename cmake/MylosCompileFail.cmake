# SPDX-License-Identifier: MIT
# Tests of what must not compile, and of what the compiler then says.

# mylos_add_compile_fail_test(<module> <source> [LINKS <targets...>] CASES <name> <words of the message> ...)
# The source, compiled with CASE_<name> defined, must fail with a message that holds these words. Without any CASE_ it
# must compile: that is built with everything else, and shows that a case fails for its own reason.
function(mylos_add_compile_fail_test module source)
  cmake_parse_arguments(arg "" "" "LINKS;CASES" ${ARGN})
  get_filename_component(name ${source} NAME_WE)
  set(probe compile_fail_${module}_${name})
  add_library(${probe} OBJECT ${source})
  target_link_libraries(${probe} PRIVATE Mylos::mylos mylos_flags ${arg_LINKS})

  # The compiler's arguments for this target, as the build itself has them. One file per language, since Kokkos' options
  # depend on it.
  set(arguments ${CMAKE_CURRENT_BINARY_DIR}/${probe})
  set(include_dirs "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${probe},INCLUDE_DIRECTORIES>>")
  set(definitions "$<TARGET_PROPERTY:${probe},COMPILE_DEFINITIONS>")
  set(options "$<TARGET_PROPERTY:${probe},COMPILE_OPTIONS>")
  file(
    GENERATE OUTPUT ${arguments}.$<COMPILE_LANGUAGE>.arguments
    CONTENT
      "$<$<BOOL:${include_dirs}>:-isystem\n$<JOIN:${include_dirs},\n-isystem\n>\n>$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},\n-D>\n>$<JOIN:${options},\n>\n"
    TARGET ${probe}
  )

  list(LENGTH arg_CASES length)
  math(EXPR last "${length} - 1")
  foreach(i RANGE 0 ${last} 2)
    math(EXPR j "${i} + 1")
    list(GET arg_CASES ${i} case)
    list(GET arg_CASES ${j} message)
    set(test ${MYLOS_TEST_PREFIX}${module}.compile_fail.${name}.${case})
    add_test(
      NAME ${test}
      COMMAND
        ${CMAKE_COMMAND} "-Dcompiler=${CMAKE_CXX_COMPILER}" "-Darguments=${arguments}.CXX.arguments"
        "-Dsource=${CMAKE_CURRENT_SOURCE_DIR}/${source}" "-Dcase=${case}" "-Dmessage=${message}" -P
        ${PROJECT_SOURCE_DIR}/cmake/CheckCompileFail.cmake
    )
    set_tests_properties(${test} PROPERTIES TIMEOUT 300 LABELS "${module};compile_fail")
  endforeach()
endfunction()
