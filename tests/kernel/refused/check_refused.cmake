# SPDX-License-Identifier: MIT
# cmake -DCASE= -DWORDS=<text that the message must hold> -DMYLOS_KERNELS=<file> -DWORK=<folder> -DPROJECT=<folder>
#       -DCXX=<compiler> -P check_refused.cmake
# Makes the wrong kernel folder of CASE and demands that CMake, or the build of the library, stops with the words.
set(kernels ${WORK}/kernels)
set(namespace app::kernels)
set(functor "namespace app::kernels::host { struct push { void operator()(long long) const {} }; }\n")
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

set(builds FALSE)
set(further "")
set(second "")
set(second_namespace "")
if(CASE STREQUAL "no_folder")
  # Nothing is there.
elseif(CASE STREQUAL "no_kernels")
  file(MAKE_DIRECTORY ${kernels})
elseif(CASE STREQUAL "no_functor_file")
  file(WRITE ${kernels}/push/push.cu "__global__ void push() {}\n")
elseif(CASE STREQUAL "misnamed_port")
  file(WRITE ${kernels}/push/push.hpp ${functor})
  file(WRITE ${kernels}/push/pusch.cu "__global__ void push() {}\n")
elseif(CASE STREQUAL "bad_folder_name")
  file(WRITE ${kernels}/push-1d/push-1d.hpp ${functor})
elseif(CASE STREQUAL "bad_namespace")
  file(WRITE ${kernels}/push/push.hpp ${functor})
  set(namespace "app.kernels")
elseif(CASE MATCHES "^folder_(.*)$")
  set(folder ${CMAKE_MATCH_1})
  file(WRITE ${kernels}/${folder}/${folder}.hpp ${functor})
elseif(CASE STREQUAL "keyword_namespace")
  file(WRITE ${kernels}/push/push.hpp ${functor})
  set(namespace "app::class")
elseif(CASE STREQUAL "no_architectures")
  file(WRITE ${kernels}/push/push.hpp ${functor})
  set(further ARCHITECTURES)
elseif(CASE MATCHES "^architecture_(.*)$")
  set(
    further
    ARCHITECTURES
    80
    90a
    100f-real
    80-virtual
    ${CMAKE_MATCH_1}
  ) # the last one alone is refused
  file(WRITE ${kernels}/push/push.hpp ${functor})
elseif(CASE STREQUAL "twice")
  file(WRITE ${kernels}/push/push.hpp ${functor})
  set(second twice)
  set(second_namespace app::others)
elseif(CASE STREQUAL "shared_namespace")
  file(WRITE ${kernels}/push/push.hpp ${functor})
  set(second other)
  set(second_namespace ${namespace})
elseif(CASE STREQUAL "no_kernel_in_port")
  file(WRITE ${kernels}/push/push.hpp ${functor})
  file(WRITE ${kernels}/push/push.cu "__global__ void pull() {}\n")
  set(builds TRUE)
else()
  message(FATAL_ERROR "unknown case ${CASE}")
endif()

execute_process(
  COMMAND
    ${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK}/build -G Ninja -DCMAKE_CXX_COMPILER=${CXX} -DCASE=${CASE}
    -DKERNELS=${kernels} -DNAMESPACE=${namespace} -DMYLOS_KERNELS=${MYLOS_KERNELS} "-DFURTHER=${further}"
    -DSECOND=${second} -DSECOND_NAMESPACE=${second_namespace}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
if(builds)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the project does not configure:\n${output}")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} --build ${WORK}/build
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
endif()
if(status EQUAL 0)
  message(FATAL_ERROR "nothing was refused:\n${output}")
endif()
string(REGEX REPLACE "[ \n]+" " " output "${output}") # CMake breaks its messages into lines
string(FIND "${output}" "${WORDS}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "'${WORDS}' is not in:\n${output}")
endif()
