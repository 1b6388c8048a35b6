// SPDX-License-Identifier: MIT
// A library with all functions of NVRTC that says it is the one of CUDA 11.8.
#define MYLOS_SHOWN extern "C" __attribute__((visibility("default")))

MYLOS_SHOWN int nvrtcVersion(int* major, int* minor) {
  *major = 11;
  *minor = 8;
  return 0;
}

// Nobody gets as far as to call these.
#define MYLOS_THERE(function) \
  MYLOS_SHOWN int function() { return 1; }
MYLOS_THERE(nvrtcGetErrorString)
MYLOS_THERE(nvrtcGetNumSupportedArchs)
MYLOS_THERE(nvrtcGetSupportedArchs)
MYLOS_THERE(nvrtcCreateProgram)
MYLOS_THERE(nvrtcDestroyProgram)
MYLOS_THERE(nvrtcCompileProgram)
MYLOS_THERE(nvrtcGetProgramLogSize)
MYLOS_THERE(nvrtcGetProgramLog)
MYLOS_THERE(nvrtcGetCUBINSize)
MYLOS_THERE(nvrtcGetCUBIN)
MYLOS_THERE(nvrtcGetPTXSize)
MYLOS_THERE(nvrtcGetPTX)
MYLOS_THERE(nvrtcAddNameExpression)
MYLOS_THERE(nvrtcGetLoweredName)
