# SPDX-License-Identifier: MIT
# Installation and the CMake package: one export set for Mylos::mylos and one for each component, so that what a
# component needs reaches only those who ask for it. The build tree is the same package (Mylos_DIR=<build folder>).
include(CMakePackageConfigHelpers)

# Every component that this version can have: one MYLOS_ENABLE_<component> each.
set(MYLOS_COMPONENTS hdf5 testing)
set(MYLOS_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Mylos)

# mylos_install_library(<target> <file>): a library and the CMake file that describes it, installed and in the build tree.
function(mylos_install_library target file)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(
    TARGETS ${target}
    EXPORT ${file}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  )
  install(EXPORT ${file} NAMESPACE Mylos:: DESTINATION ${MYLOS_PACKAGE_DIR})
  export(EXPORT ${file} NAMESPACE Mylos:: FILE ${PROJECT_BINARY_DIR}/${file}.cmake)
endfunction()

mylos_install_library(mylos MylosTargets)
set(MYLOS_BUILT_COMPONENTS "")
set(headers_left_out "")
foreach(component IN LISTS MYLOS_COMPONENTS)
  if(TARGET mylos_${component})
    mylos_install_library(mylos_${component} MylosComponent-${component})
    list(APPEND MYLOS_BUILT_COMPONENTS ${component})
  else()
    list(APPEND headers_left_out REGEX "/mylos/${component}(/|\\.hpp)" EXCLUDE)
  endif()
endforeach()

install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/include/mylos
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING
  PATTERN "*.hpp" ${headers_left_out}
)
install(
  FILES ${PROJECT_BINARY_DIR}/include/mylos/base/version_numbers.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mylos/base
)
install(TARGETS mylos_transfers_connector LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(
  FILES ${PROJECT_SOURCE_DIR}/LLM_GUIDE.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/mylos
)

# What find_package() must find for a consumer to link, as its arguments. A static library's own needs reach its
# consumer, a shared one's do not.
set(MYLOS_NEEDS_CORE "")
set(MYLOS_NEEDS_TESTING "GTest")
set(MYLOS_NEEDS_HDF5 "")
if(NOT BUILD_SHARED_LIBS)
  set(MYLOS_NEEDS_CORE "Threads;Boost COMPONENTS context")
  set(MYLOS_NEEDS_HDF5 "HDF5 COMPONENTS C")
  if(TARGET mylos_hdf5)
    get_target_property(links mylos_hdf5 LINK_LIBRARIES)
    if("MPI::MPI_C" IN_LIST links)
      list(APPEND MYLOS_NEEDS_HDF5 "MPI COMPONENTS C")
    endif()
  endif()
endif()
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/MylosConfig.cmake.in
  ${PROJECT_BINARY_DIR}/MylosConfig.cmake
  INSTALL_DESTINATION ${MYLOS_PACKAGE_DIR}
  NO_SET_AND_CHECK_MACRO
  NO_CHECK_REQUIRED_COMPONENTS_MACRO
)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/MylosConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/MylosConfig.cmake ${PROJECT_BINARY_DIR}/MylosConfigVersion.cmake
  DESTINATION ${MYLOS_PACKAGE_DIR}
)

# mylos_add_kernels() of the package, and what it works with.
file(GLOB kernel_texts ${PROJECT_SOURCE_DIR}/cmake/kernels*.in ${PROJECT_SOURCE_DIR}/cmake/*_words.txt)
install(
  FILES
    ${PROJECT_SOURCE_DIR}/cmake/MylosKernels.cmake
    ${PROJECT_SOURCE_DIR}/cmake/CheckPorts.cmake
    ${PROJECT_SOURCE_DIR}/cmake/EmbedTexts.cmake
    ${kernel_texts}
  DESTINATION ${MYLOS_PACKAGE_DIR}
)
file(
  CONFIGURE
  OUTPUT ${PROJECT_BINARY_DIR}/MylosKernels.cmake
  CONTENT "include(@PROJECT_SOURCE_DIR@/cmake/MylosKernels.cmake)\n"
  @ONLY
)

# pkg-config: the prefix is found from the file's own place.
file(RELATIVE_PATH MYLOS_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/mylos.pc.in ${PROJECT_BINARY_DIR}/mylos.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/mylos.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
