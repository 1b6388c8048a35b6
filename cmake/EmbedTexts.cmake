# SPDX-License-Identifier: MIT
# Files become texts inside a library. Included: the function below. As a script (cmake -P): its work, at build time.
# Part of the installed package, for mylos_add_kernels().
cmake_policy(VERSION 3.25)

# mylos_embed_texts(<target> SYMBOL <qualified name> DECLARED_IN <header> ENTRIES <name=path...>
#                   [WITH_INCLUDED <qualified name>] [CHECK <script>] [BINARY])
#
# Adds a source to the target that defines `const std::span<const mylos::NamedText> SYMBOL`, one {name, text} for each
# entry in their order. DECLARED_IN, as #include finds it, declares it `extern`.
# WITH_INCLUDED: a second such array with the files that the entries reach by #include "...", each under its absolute
# path. They are looked for as compilers do it: beside the file that has the line, then beside the entry. What is not
# there is left out, so the target must depend on what the build makes of them; lines in comments count.
# BINARY: the files may hold any bytes; four characters of the source are one byte of theirs.
# CHECK: a script that gets the same -DENTRIES=<name=path|...> before, and may stop the build.
# An edited file, an included one too, is embedded again by the next build.
function(mylos_embed_texts target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BINARY" "SYMBOL;DECLARED_IN;WITH_INCLUDED;CHECK" "ENTRIES")
  string(REGEX REPLACE "[^A-Za-z0-9_]+" "_" file "${arg_SYMBOL}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_texts/${file}.cpp)
  string(REGEX REPLACE "[^;=]*=([^;]*)" "\\1" files "${arg_ENTRIES}")
  list(JOIN arg_ENTRIES "|" entries)
  set(check "")
  if(arg_CHECK)
    set(
      check
      COMMAND
      ${CMAKE_COMMAND}
      "-DENTRIES=${entries}"
      -P
      ${arg_CHECK}
    )
  endif()
  add_custom_command(
    OUTPUT ${output} ${check}
    COMMAND
      ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${arg_SYMBOL} -DDECLARED_IN=${arg_DECLARED_IN}
      -DWITH_INCLUDED=${arg_WITH_INCLUDED} -DBINARY=${arg_BINARY} "-DENTRIES=${entries}" -P
      ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${files} ${arg_CHECK} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPFILE ${output}.d
    COMMENT "Embedding ${arg_SYMBOL}"
    VERBATIM
  )
  target_sources(${target} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON) # each has names of its own, the same
endfunction()

# One element of the array: appended to the variable `code`.
function(_mylos_append_text code name path)
  if(BINARY)
    file(READ "${path}" bytes HEX)
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
    set(literal "\"${bytes}\"")
  else()
    file(READ "${path}" text)
    if(text MATCHES "\\)mylos_text\"")
      message(
        FATAL_ERROR
        "${path} cannot be embedded: it holds )mylos_text\" which ends the literal it is put in: reword it"
      )
    endif()
    set(literal "R\"mylos_text(${text})mylos_text\"")
  endif()
  set(${code} "${${code}}    mylos::named_text(R\"mylos_name(${name})mylos_name\", ${literal}),\n" PARENT_SCOPE)
endfunction()

# Appends to the list `files` what `file` reaches by #include "...", for the first time each.
function(_mylos_follow_includes file folder_of_entry files)
  file(READ "${file}" text)
  get_filename_component(own_folder "${file}" DIRECTORY)
  string(REGEX MATCHALL "\n[ \t]*#[ \t]*include[ \t]*\"[^\"\n;]+\"" lines "\n${text}")
  set(found ${${files}})
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[^\"]*\"([^\"]*)\"$" "\\1" name "${line}")
    foreach(folder IN ITEMS "${own_folder}" "${folder_of_entry}")
      get_filename_component(included "${name}" ABSOLUTE BASE_DIR "${folder}")
      if(EXISTS "${included}" AND NOT IS_DIRECTORY "${included}")
        if(NOT included IN_LIST found)
          list(APPEND found "${included}")
          _mylos_follow_includes("${included}" "${folder_of_entry}" found)
        endif()
        break()
      endif()
    endforeach()
  endforeach()
  set(${files} ${found} PARENT_SCOPE)
endfunction()

function(_mylos_write_texts)
  set(texts "")
  set(included "")
  string(REPLACE "|" ";" entries "${ENTRIES}")
  set(read "")
  foreach(entry IN LISTS entries)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched "${entry}")
    set(name "${CMAKE_MATCH_1}")
    set(path "${CMAKE_MATCH_2}")
    _mylos_append_text(texts "${name}" "${path}")
    list(APPEND read "${path}")
    if(WITH_INCLUDED)
      get_filename_component(folder "${path}" DIRECTORY)
      _mylos_follow_includes("${path}" "${folder}" included)
    endif()
  endforeach()
  set(arrays "const mylos::NamedText mylos_texts[] = {\n${texts}};\n")
  set(spans "constinit const std::span<const mylos::NamedText> ${SYMBOL} = ::mylos_texts;\n")
  if(included)
    set(texts "")
    foreach(path IN LISTS included)
      _mylos_append_text(texts "${path}" "${path}")
    endforeach()
    list(APPEND read ${included})
    string(APPEND arrays "const mylos::NamedText mylos_included[] = {\n${texts}};\n")
    string(APPEND spans "constinit const std::span<const mylos::NamedText> ${WITH_INCLUDED} = ::mylos_included;\n")
  elseif(WITH_INCLUDED)
    string(APPEND spans "constinit const std::span<const mylos::NamedText> ${WITH_INCLUDED} = {};\n")
  endif()
  get_filename_component(folder "${OUTPUT}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  # Untouched when nothing changed, so that nothing is rebuilt.
  file(
    CONFIGURE
    OUTPUT "${OUTPUT}"
    CONTENT
      "// Generated from the files that it holds: edit those.
#include <span>

#include <@DECLARED_IN@>

#include <mylos/base/named_text.hpp>

namespace {
@arrays@}  // namespace

@spans@"
    @ONLY
  )
  set(rule "${OUTPUT}" ${read})
  string(REGEX REPLACE "([ #])" "\\\\\\1" rule "${rule}")
  string(REPLACE "$" "$$" rule "${rule}")
  list(POP_FRONT rule target)
  list(JOIN rule " " dependencies)
  file(WRITE "${OUTPUT}.d" "${target}: ${dependencies}\n")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  _mylos_write_texts()
endif()
