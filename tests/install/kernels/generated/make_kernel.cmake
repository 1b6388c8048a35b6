# SPDX-License-Identifier: MIT
# Makes the files of KERNEL in FOLDER. Included when CMake runs, or run by the build: cmake -DFOLDER= -DKERNEL= -P.
foreach(suffix IN ITEMS hpp cu)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/kernel.${suffix}.in ${FOLDER}/${KERNEL}/${KERNEL}.${suffix} @ONLY)
endforeach()
