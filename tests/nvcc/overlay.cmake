# SPDX-License-Identifier: MIT
# Headers that shadow those of a host-only Kokkos, so that nvcc sees a Kokkos with CUDA: made from the Kokkos that was
# found, so they follow its version. Compiling is all that they are good for; there is no such library to link.

# mylos_write_kokkos_overlay(<kokkos include folder> <output folder>)
function(mylos_write_kokkos_overlay kokkos output)
  file(READ ${kokkos}/KokkosCore_config.h text)
  string(
    APPEND text
    "\n#define KOKKOS_ENABLE_CUDA\n"
    "#define KOKKOS_ARCH_HOPPER\n"
    "#define KOKKOS_ARCH_HOPPER90\n"
    "#define KOKKOS_IMPL_ARCH_NVIDIA_GPU 90\n"
    "#undef KOKKOS_ENABLE_ATOMICS_BYPASS\n"
  )
  _mylos_overlay_file(${output}/KokkosCore_config.h "${text}")

  # Each of these includes the headers of the backends that Kokkos has: CUDA's comes first.
  set(parts Declare Fwd Setup)
  set(headers decl/Kokkos_Declare_CUDA.hpp fwd/Kokkos_Fwd_CUDA.hpp setup/Kokkos_Setup_Cuda.hpp)
  foreach(part header IN ZIP_LISTS parts headers)
    file(READ ${kokkos}/KokkosCore_Config_${part}Backend.hpp text)
    _mylos_overlay_file(${output}/KokkosCore_Config_${part}Backend.hpp "#include <${header}>\n${text}"
    )
  endforeach()

  file(READ ${kokkos}/desul/atomics/Config.hpp text)
  string(REPLACE "/* #undef DESUL_ATOMICS_ENABLE_CUDA */" "#define DESUL_ATOMICS_ENABLE_CUDA" text "${text}")
  _mylos_overlay_file(${output}/desul/atomics/Config.hpp "${text}")
endfunction()

# Written only when it changes, so that a new configure compiles nothing again.
function(_mylos_overlay_file path text)
  file(CONFIGURE OUTPUT ${path} CONTENT "@text@" @ONLY)
endfunction()
