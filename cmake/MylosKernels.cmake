# SPDX-License-Identifier: MIT
# Kernel catalogs: folders of host functors and CUDA ports become one library with ready Kernel objects.
# Part of the installed package: find_package(Mylos) makes mylos_add_kernels() available.
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/EmbedTexts.cmake)

# mylos_add_kernels(<name> DIRECTORY <folder> NAMESPACE <a::b> [ARCHITECTURES <80> <90> ...]
#                   [DEPENDS <file or target> ...])
#
# Makes the library <name>_kernels with the header <<name>_kernels.hpp>. A kernel is a folder of DIRECTORY:
#   push/push.hpp            the functor NAMESPACE::host::push; default-constructible
#   push/push.cu             extern "C" __global__ void push(...), same name, same order of parameters   (optional)
#   push/push_arguments.hpp  structs that both share                                                     (optional)
#   push/push_<x>.hpp        a further functor NAMESPACE::host::push_<x>: host implementation "<x>"       (optional)
#   push/push_parity.hpp     template <class Space> auto push_arguments(std::uint64_t seed), and where the defaults do
#                            not do, push_threads (a mylos::Extents3), push_tolerance (a mylos::testing::Tolerance)
#                                                                                                        (optional)
# The header defines NAMESPACE::push, a mylos::Kernel, for each, and declares mylos::KernelCatalog& NAMESPACE::catalog().
# The texts of the ports, and of the headers that they reach by #include "..." (beside the file that has the line, else
# beside the port; also outside of DIRECTORY), are inside the library: a program works where its sources are not.
# ARCHITECTURES: as CMake's CUDA_ARCHITECTURES spells them; the ports are compiled for each by NVRTC (which needs no GPU)
# when the library is built, again when a port or a header of it is edited, and are in it, too. A program needs neither
# NVRTC nor a compiler nor a cache on a card that one of these is for:
#   80, 80-real     code for 8.0, and for 8.x above
#   90a, 100f       also -real: code that uses what only 9.0, or the family of 10.0, has
#   80-virtual      PTX, which the driver translates when the program starts: for all cards from 8.0 on
#   90a-virtual, 100f-virtual   PTX for 9.0, or the family of 10.0
# On all others, and when debugging, ports are compiled when they first run, as without ARCHITECTURES. A plain 80 means no
# PTX, unlike CMake's.
# Files may be generated. What CMake makes before this call is like any other, also in a DIRECTORY of the build tree. For
# what the build makes there are these rules:
#   DEPENDS             files, and targets that make some, as add_custom_command() takes them; for a file that another
#                       folder of the project makes, name its target too. They are made before the ports and what these
#                       include are read, and before the library, and whatever links it, is compiled. A header that is
#                       not there when a port that includes it is read is not in the library.
#   push.hpp, push.cu   count as there when DEPENDS names them, or an add_custom_command(OUTPUT) that stands before this
#                       call in the same CMakeLists.txt; their folder, when DEPENDS names a file in it.
#   push_<x>.hpp, push_parity.hpp   are read when CMake runs: the build cannot make these.
# With MYLOS_TESTING the kernels with a parity file become tests.
# A name and a namespace belong to one catalog.
function(mylos_add_kernels name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY;NAMESPACE" "ARCHITECTURES;DEPENDS")
  foreach(required IN ITEMS DIRECTORY NAMESPACE)
    if(NOT arg_${required})
      message(FATAL_ERROR "mylos_add_kernels(${name}): ${required} is missing: it is needed: write ${required} <value>")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mylos_add_kernels(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if("ARCHITECTURES" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    message(
      FATAL_ERROR
      "mylos_add_kernels(${name}): ARCHITECTURES names none: it is the compute capabilities to compile for: write "
      "ARCHITECTURES 80 90, or leave it out"
    )
  endif()
  _mylos_architectures(${name} "${arg_ARCHITECTURES}" architectures)
  _mylos_claim_catalog(${name} "${arg_NAMESPACE}")
  get_filename_component(directory "${arg_DIRECTORY}" ABSOLUTE)
  _mylos_made_before(${directory} "${arg_DEPENDS}" made makers)
  _mylos_kernel_folders(${name} ${directory} made kernels)

  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}_kernels_generated)
  set(namespace ${arg_NAMESPACE})
  set(images "{}")
  if(arg_ARCHITECTURES)
    set(images generated::images)
  endif()
  set(headers "")
  set(objects "")
  set(entries "")
  set(ports "")
  foreach(kernel IN LISTS kernels)
    _mylos_describe_kernel()
  endforeach()
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kernels.hpp.in ${generated}/${name}_kernels.hpp @ONLY)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kernels_ports.hpp.in ${generated}/${name}_ports.hpp @ONLY)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kernels.cpp.in ${generated}/${name}_kernels.cpp @ONLY)

  add_library(${name}_kernels STATIC ${generated}/${name}_kernels.cpp)
  set_target_properties(${name}_kernels PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name}_kernels PUBLIC ${generated})
  target_link_libraries(${name}_kernels PUBLIC Mylos::mylos)
  if(made OR makers)
    # All commands of the library wait for it, and so does whatever links the library.
    add_custom_target(${name}_kernels_made DEPENDS ${made})
    foreach(maker IN LISTS makers)
      add_dependencies(${name}_kernels_made ${maker})
    endforeach()
    add_dependencies(${name}_kernels ${name}_kernels_made)
  endif()
  if(ports)
    _mylos_embed_ports(${name} ${namespace} "${ports}")
    _mylos_embed_images(${name} ${namespace} ${generated} "${ports}" "${architectures}")
  endif()
  if(MYLOS_TESTING)
    _mylos_parity_tests(${name} "${namespace}" ${directory} "${kernels}" ${generated})
  endif()
endfunction()

# NVRTC's names for the words of ARCHITECTURES: sm_90a, compute_80.
function(_mylos_architectures name words out)
  set(architectures "")
  foreach(word IN LISTS words)
    if(word MATCHES "^([1-9][0-9]+[af]?)(-real)?$")
      list(APPEND architectures sm_${CMAKE_MATCH_1})
    elseif(word MATCHES "^([1-9][0-9]+[af]?)-virtual$")
      list(APPEND architectures compute_${CMAKE_MATCH_1})
    elseif(word MATCHES "^(native|all|all-major|OFF)$")
      message(
        FATAL_ERROR
        "mylos_add_kernels(${name}): ARCHITECTURES ${word}: this depends on the machine that builds, and is not what "
        "the program runs on: write the compute capabilities of its cards, as in ARCHITECTURES 80 90"
      )
    else()
      message(
        FATAL_ERROR
        "mylos_add_kernels(${name}): ARCHITECTURES ${word}: this is no compute capability without its point: write 80 "
        "for 8.0, or a form of it: 90a, 100f, 80-real, 80-virtual"
      )
    endif()
  endforeach()
  list(REMOVE_DUPLICATES architectures)
  set(${out} "${architectures}" PARENT_SCOPE)
endfunction()

# Stops for a name or a namespace that is no C++ or taken.
function(_mylos_claim_catalog name namespace)
  if(NOT namespace MATCHES "^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*$")
    message(FATAL_ERROR "mylos_add_kernels(${name}): '${namespace}' is not a C++ namespace: write a::b")
  endif()
  string(REPLACE "::" ";" parts ${namespace})
  foreach(part IN LISTS parts)
    _mylos_is_word_of(cxx ${part} reserved)
    if(reserved)
      message(
        FATAL_ERROR
        "mylos_add_kernels(${name}): NAMESPACE ${namespace}: '${part}' is a word of C++: choose another name"
      )
    endif()
  endforeach()
  if(TARGET ${name}_kernels)
    message(
      FATAL_ERROR
      "mylos_add_kernels(${name}): there is a target ${name}_kernels already: the library is named so: choose another "
      "name for this catalog"
    )
  endif()
  get_property(owner GLOBAL PROPERTY MYLOS_CATALOG_OF_${namespace})
  if(owner)
    message(
      FATAL_ERROR
      "mylos_add_kernels(${name}): NAMESPACE ${namespace} is that of mylos_add_kernels(${owner}): both would define "
      "${namespace}::catalog(), and a program would silently get one of them: choose another namespace"
    )
  endif()
  set_property(GLOBAL PROPERTY MYLOS_CATALOG_OF_${namespace} ${name})
endfunction()

# The files and the targets among the words of DEPENDS. The folders of those files in `directory` are made here, to be
# found like others, and in the same order as when CMake runs again.
function(_mylos_made_before directory words files targets)
  set(found_files "")
  set(found_targets "")
  foreach(word IN LISTS words)
    if(TARGET ${word})
      list(APPEND found_targets ${word})
      continue()
    endif()
    get_filename_component(file "${word}" ABSOLUTE)
    if(NOT EXISTS ${file})
      get_filename_component(file "${word}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
    endif()
    list(APPEND found_files ${file})
    cmake_path(IS_PREFIX directory "${file}" is_inside)
    if(is_inside)
      get_filename_component(folder "${file}" DIRECTORY)
      file(MAKE_DIRECTORY ${folder})
    endif()
  endforeach()
  set(${files} "${found_files}" PARENT_SCOPE)
  set(${targets} "${found_targets}" PARENT_SCOPE)
endfunction()

# The arrays `ports`, of every port (<kernel>=<path>), and `port_headers`. A .cu without its kernel stops the build.
function(_mylos_embed_ports name namespace ports)
  mylos_embed_texts(
    ${name}_kernels
    SYMBOL ${namespace}::generated::ports
    WITH_INCLUDED ${namespace}::generated::port_headers
    DECLARED_IN ${name}_ports.hpp
    ENTRIES ${ports}
    CHECK ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CheckPorts.cmake
  )
endfunction()

# The array `images`: every port compiled for every architecture.
function(
  _mylos_embed_images
  name
  namespace
  generated
  ports
  architectures
)
  set(images "")
  foreach(architecture IN LISTS architectures)
    foreach(port IN LISTS ports)
      string(REGEX MATCH "^([^=]+)=(.+)$" matched "${port}")
      set(kernel ${CMAKE_MATCH_1})
      set(file ${CMAKE_MATCH_2})
      set(image ${generated}/${kernel}.${architecture})
      add_custom_command(
        OUTPUT ${image}
        COMMAND $<TARGET_FILE:Mylos::kernel_compiler> ${kernel} ${file} ${architecture} ${image}
        DEPENDS ${file} $<TARGET_FILE:Mylos::kernel_compiler> # which holds the headers for devices
        DEPFILE ${image}.d
        COMMENT "Compiling kernel ${kernel} for ${architecture}"
        VERBATIM
      )
      list(APPEND images "${kernel}=${image}")
    endforeach()
  endforeach()
  if(images)
    mylos_embed_texts(
      ${name}_kernels
      SYMBOL ${namespace}::generated::images
      DECLARED_IN ${name}_ports.hpp
      BINARY
      ENTRIES ${images}
    )
  endif()
endfunction()

# Whether a word is in a list beside this file. cxx_words.txt: what cannot be a name in C++20 (the last ones are macros: of
# compilers that are asked for extensions, and of the C library); catalog_words.txt: what the catalog itself has in its
# namespace.
function(_mylos_is_word_of list word out)
  file(STRINGS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${list}_words.txt words)
  if(word IN_LIST words)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Stops for a kernel that the object cannot be named like. `where` begins the message.
function(_mylos_check_kernel_name where kernel)
  if(NOT kernel MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "${where}: its name is not a C++ identifier: the kernel is named like it: rename it")
  endif()
  _mylos_is_word_of(cxx ${kernel} reserved)
  if(reserved)
    message(FATAL_ERROR "${where}: its name is a word of C++: the kernel is named like it: rename it")
  endif()
  _mylos_is_word_of(catalog ${kernel} reserved)
  if(reserved)
    message(FATAL_ERROR "${where}: the catalog itself has something of this name in its namespace: rename it")
  endif()
endfunction()

# The names of the kernel folders in `directory`, or an error for one that cannot work. Appends to a list what
# add_custom_command() makes of their files.
function(_mylos_kernel_folders name directory made_list out)
  if(NOT IS_DIRECTORY ${directory})
    message(
      FATAL_ERROR
      "mylos_add_kernels(${name}): there is no folder ${directory}: it should hold one folder per kernel"
    )
  endif()
  file(GLOB folders RELATIVE ${directory} CONFIGURE_DEPENDS ${directory}/*)
  set(kernels "")
  foreach(folder IN LISTS folders)
    if(NOT IS_DIRECTORY ${directory}/${folder})
      continue()
    endif()
    set(where "mylos_add_kernels(${name}): kernel folder ${directory}/${folder}")
    _mylos_check_kernel_name("${where}" "${folder}")
    list(APPEND kernels ${folder})
    set(functor ${directory}/${folder}/${folder}.hpp)
    set(port ${directory}/${folder}/${folder}.cu)
    foreach(file IN ITEMS ${functor} ${port})
      get_source_file_property(is_made ${file} GENERATED)
      if(is_made)
        list(APPEND ${made_list} ${file})
      endif()
    endforeach()
    if(NOT EXISTS ${functor} AND NOT functor IN_LIST ${made_list})
      message(FATAL_ERROR "${where}: ${folder}.hpp is missing: it defines the host functor '${folder}': add it")
    endif()
    if(port IN_LIST ${made_list})
      continue() # looked for here, it would make CMake run again as soon as it is made
    endif()
    file(GLOB sources RELATIVE ${directory}/${folder} CONFIGURE_DEPENDS ${directory}/${folder}/*.cu)
    list(REMOVE_ITEM sources ${folder}.cu)
    if(sources)
      message(
        FATAL_ERROR
        "${where}: it holds ${sources}: the port of a kernel is named like it: rename it to ${folder}.cu"
      )
    endif()
  endforeach()
  if(NOT kernels)
    message(FATAL_ERROR "mylos_add_kernels(${name}): ${directory} holds no kernel: expected <kernel>/<kernel>.hpp")
  endif()
  list(REMOVE_DUPLICATES ${made_list})
  set(${made_list} "${${made_list}}" PARENT_SCOPE)
  set(${out} ${kernels} PARENT_SCOPE)
endfunction()

# Appends one kernel to headers, objects, entries and ports of the caller. A macro: it has only outputs.
macro(_mylos_describe_kernel)
  set(folder ${directory}/${kernel})
  string(APPEND headers "#include \"${folder}/${kernel}.hpp\"\n")
  set(functor "host::${kernel}{}")
  file(GLOB further RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/${kernel}_*.hpp)
  list(REMOVE_ITEM further ${kernel}_arguments.hpp ${kernel}_parity.hpp)
  foreach(header IN LISTS further)
    string(REGEX REPLACE "\\.hpp$" "" other ${header})
    string(REGEX REPLACE "^${kernel}_" "" implementation ${other})
    file(READ ${folder}/${header} text)
    # Another header of the kernel's, without such a functor, is left to who includes it.
    if(text MATCHES "(struct|class)[ \t\r\n]+${other}[^A-Za-z0-9_]")
      string(APPEND headers "#include \"${folder}/${header}\"\n")
      string(APPEND functor ", mylos::named(\"${implementation}\", host::${other}{})")
    endif()
  endforeach()
  if(functor MATCHES ",")
    set(functor "mylos::implementations(${functor})")
  endif()

  set(port "{}")
  if(EXISTS ${folder}/${kernel}.cu OR ${folder}/${kernel}.cu IN_LIST made)
    list(LENGTH ports number)
    set(
      port
      "mylos::detail::embedded_port(generated::ports[${number}], generated::port_headers, \"${folder}\", ${images})"
    )
    list(APPEND ports "${kernel}=${folder}/${kernel}.cu")
  endif()
  string(
    APPEND objects
    "\n"
    "namespace generated {\n"
    "using ${kernel} = host::${kernel};  // ${kernel}/${kernel}.hpp is to define the functor ${namespace}::host::${kernel}\n"
    "}\n"
    "inline const mylos::Kernel ${kernel}(\"${kernel}\", ${functor}, ${port}, {.port_file = \"${folder}/${kernel}.cu\"});\n"
  )
  string(APPEND entries "      {&::${namespace}::${kernel}, \"${folder}\"},\n")
endmacro()

# The program <name>_kernels_parity: one test per kernel, functor against port.
function(
  _mylos_parity_tests
  name
  namespace
  directory
  kernels
  generated
)
  if(NOT TARGET Mylos::testing)
    message(
      FATAL_ERROR
      "mylos_add_kernels(${name}): MYLOS_TESTING is on, and there is no Mylos::testing: the parity tests need it: "
      "find_package(Mylos COMPONENTS testing), or set MYLOS_TESTING to OFF"
    )
  endif()
  set(headers "")
  set(cases "")
  foreach(kernel IN LISTS kernels)
    set(file ${directory}/${kernel}/${kernel}_parity.hpp)
    if(NOT EXISTS ${file})
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    set(tolerance "{}")
    set(threads "{}")
    if(text MATCHES "[^A-Za-z0-9_]${kernel}_tolerance[^A-Za-z0-9_]")
      set(tolerance "${kernel}_tolerance")
    endif()
    if(text MATCHES "[^A-Za-z0-9_]${kernel}_threads[^A-Za-z0-9_]")
      set(threads "${kernel}_threads")
    endif()
    string(APPEND headers "#include \"${file}\"\n")
    string(
      APPEND cases
      "  ::${namespace}::catalog().set_parity(\"${kernel}\", [](std::uint64_t seed) {\n"
      "    using namespace ::${namespace};\n"
      "    using namespace ::${namespace}::host;\n"
      "    const auto make = []<class Space>(Space, std::uint64_t s) { return ${kernel}_arguments<Space>(s); };\n"
      "    return mylos::testing::agree(::${namespace}::${kernel}, make, ${tolerance},\n"
      "                                 {.threads = ${threads}, .seed = seed})\n"
      "        .difference();\n"
      "  });\n"
    )
  endforeach()
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kernels_parity.cpp.in ${generated}/${name}_kernels_parity.cpp @ONLY)
  add_executable(${name}_kernels_parity ${generated}/${name}_kernels_parity.cpp)
  target_link_libraries(${name}_kernels_parity PRIVATE ${name}_kernels Mylos::testing)
  include(GoogleTest)
  gtest_discover_tests(
    ${name}_kernels_parity
    TEST_PREFIX ${name}.
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS parity
  )
endfunction()
