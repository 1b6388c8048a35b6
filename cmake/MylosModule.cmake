# SPDX-License-Identifier: MIT
# How a module, its library and its tests are declared. One target per module: mylos_<module>, an object library.

# Flags that all of Mylos' own code is compiled with; never exported.
add_library(mylos_flags INTERFACE)
target_compile_options(
  mylos_flags
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align
)
# GCC 12's false alarms: -Wrestrict for "literal" + std::string (bug 105651), -Wuse-after-free in the reference counts
# of Kokkos (inlined from a system header, so not silenced by that).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(mylos_flags INTERFACE -Wno-restrict -Wno-use-after-free)
endif()
# GCC's -Wmaybe-uninitialized does not see whether a std::optional is empty (bug 80635), nor through sanitizers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(mylos_flags INTERFACE -Wno-maybe-uninitialized)
endif()
if(MYLOS_WERROR)
  target_compile_options(mylos_flags INTERFACE -Werror)
endif()
# Of every target, programs of catalogs too: a sanitizer's library must come first in each program.
if(MYLOS_SANITIZE)
  add_compile_options(-fsanitize=${MYLOS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MYLOS_SANITIZE})
endif()

# Uses a library without passing it on. What is only headers and flags is taken by value, since a static library hands
# the links that it has, private ones too, to its consumers.
function(mylos_use_privately target)
  foreach(library IN LISTS ARGN)
    get_target_property(type ${library} TYPE)
    get_target_property(links ${library} INTERFACE_LINK_LIBRARIES)
    if(links OR NOT type STREQUAL "INTERFACE_LIBRARY")
      target_link_libraries(${target} PRIVATE ${library})
      continue()
    endif()
    target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>)
    target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_OPTIONS>)
    target_link_options(${target} PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_LINK_OPTIONS>)
  endforeach()
endfunction()

# mylos_add_module(<module> [LIBRARY] SOURCES <cpp...> [LINKS <public targets...>] [PRIVATE_LINKS <targets...>])
# Headers are include/mylos/<module>/*.hpp; a module with no sources is an interface library. LIBRARY: the module is a
# library of its own, Mylos::<module>, and no part of Mylos::mylos.
function(mylos_add_module module)
  cmake_parse_arguments(arg "LIBRARY" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  if(arg_SOURCES)
    if(arg_LIBRARY)
      add_library(mylos_${module} ${arg_SOURCES})
    else()
      add_library(mylos_${module} OBJECT ${arg_SOURCES})
    endif()
    set(scope PUBLIC)
    mylos_use_privately(mylos_${module} mylos_flags ${arg_PRIVATE_LINKS})
    target_include_directories(mylos_${module} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    set_target_properties(
      mylos_${module}
      PROPERTIES
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        POSITION_INDEPENDENT_CODE ON
        CXX_EXTENSIONS OFF
    )
  else()
    add_library(mylos_${module} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_compile_features(mylos_${module} ${scope} cxx_std_20)
  target_include_directories(
    mylos_${module}
    ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  )
  target_link_libraries(mylos_${module} ${scope} ${arg_LINKS})
  if(arg_LIBRARY)
    add_library(Mylos::${module} ALIAS mylos_${module})
    set_target_properties(
      mylos_${module}
      PROPERTIES
        EXPORT_NAME ${module}
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    )
  endif()
endfunction()
