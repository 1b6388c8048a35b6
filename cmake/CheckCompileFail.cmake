# SPDX-License-Identifier: MIT
# cmake -Dcompiler= -Darguments=<file> -Dsource= -Dcase= -Dmessage= -P CheckCompileFail.cmake
# Fails unless `source` with CASE_<case> does not compile and the compiler says `message`.
file(READ ${arguments} text)
string(REGEX REPLACE "\n+" ";" flags "${text}")
list(REMOVE_ITEM flags "")
execute_process(
  COMMAND ${compiler} -std=c++20 -fsyntax-only ${flags} -DCASE_${case} ${source}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
if(status EQUAL 0)
  message(FATAL_ERROR "${source} compiles with CASE_${case}, and must not")
endif()
string(FIND "${output}" "${message}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "The compiler does not say '${message}', but:\n${output}")
endif()
