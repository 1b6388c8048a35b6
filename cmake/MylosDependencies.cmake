# SPDX-License-Identifier: MIT
# What the library itself needs. Only Kokkos is visible to a consumer; the rest is header-only and private.
find_package(Kokkos REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.70 REQUIRED COMPONENTS context)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
# The compiled library where it stays inside of ours, because a source needs a fifth of the time then; the header-only
# one in a static build, whose consumers would have to find it.
if(BUILD_SHARED_LIBS)
  set(MYLOS_FMT fmt::fmt)
else()
  set(MYLOS_FMT fmt::fmt-header-only)
endif()
find_path(MYLOS_XXHASH_INCLUDE_DIR xxhash.h REQUIRED)

if(NOT MYLOS_ALLOW_UNTESTED_KOKKOS AND (Kokkos_VERSION VERSION_LESS 4.5 OR NOT Kokkos_VERSION VERSION_LESS 5.3))
  message(
    FATAL_ERROR
    "Mylos is tested with Kokkos 4.5 to 5.2, this is ${Kokkos_VERSION} (${Kokkos_DIR}): "
    "use one of those, or set MYLOS_ALLOW_UNTESTED_KOKKOS=ON."
  )
endif()
