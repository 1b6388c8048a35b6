# SPDX-License-Identifier: MIT
# Script (cmake -P): writes a C++ source that holds files as string literals.
#
#   cmake -DOUTPUT=<file.cpp> -DINCLUDE=<header> -DELEMENT=<type> -DSYMBOL=<qualified array name>
#         -DENTRIES=<name=path|name=path|...> -P EmbedTexts.cmake
#
# The source includes <INCLUDE> and defines `constinit const ELEMENT SYMBOL[]`, one {name, text} for each entry.
# ELEMENT is any aggregate of two std::string_view or two const char*.
foreach(
  variable
  IN
  ITEMS OUTPUT INCLUDE ELEMENT SYMBOL ENTRIES
)
  if(NOT DEFINED ${variable})
    message(FATAL_ERROR "EmbedTexts.cmake: ${variable} is not set: it needs OUTPUT, INCLUDE, ELEMENT, SYMBOL, ENTRIES")
  endif()
endforeach()

set(code "// Generated from the files that it holds: edit those.\n#include <${INCLUDE}>\n\n")
string(APPEND code "const ${ELEMENT} ${SYMBOL}[] = {\n")
string(REPLACE "|" ";" entries "${ENTRIES}")
foreach(entry IN LISTS entries)
  string(REGEX MATCH "^([^=]+)=(.+)$" matched "${entry}")
  if(NOT matched)
    message(FATAL_ERROR "EmbedTexts.cmake: entry '${entry}' is not name=path")
  endif()
  set(name "${CMAKE_MATCH_1}")
  file(READ "${CMAKE_MATCH_2}" text)
  if(text MATCHES "\\)mylos_text\"")
    message(FATAL_ERROR "EmbedTexts.cmake: ${CMAKE_MATCH_2} holds )mylos_text\" which ends the literal it is put in")
  endif()
  string(APPEND code "    {\"${name}\", R\"mylos_text(${text})mylos_text\"},\n")
endforeach()
string(APPEND code "};\n")

# Untouched when nothing changed, so that nothing is rebuilt.
set(old "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" old)
endif()
if(NOT old STREQUAL code)
  file(WRITE "${OUTPUT}" "${code}")
endif()
