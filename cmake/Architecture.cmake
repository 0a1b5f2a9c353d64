# ATTEND_ARCH chooses the instructions of the kernel files (tensor/*.cpp) only:
#   auto      x86-64-v3 (AVX2, FMA) where this machine's processor has it, else baseline
#   v3        x86-64-v3, whatever this machine is
#   baseline  what every processor of the family has; for packages that are installed elsewhere
set(ATTEND_ARCH auto CACHE STRING "Instructions of the kernel files: auto, v3 or baseline")
set_property(CACHE ATTEND_ARCH PROPERTY STRINGS auto v3 baseline)

if(ATTEND_ARCH STREQUAL "auto")
  include(CheckCXXSourceRuns)
  check_cxx_source_runs("
    int main() {
      __builtin_cpu_init();
      bool v3 = __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\");
      return v3 ? 0 : 1;
    }" ATTEND_PROCESSOR_HAS_V3)
  if(ATTEND_PROCESSOR_HAS_V3)
    set(level v3)
  else()
    set(level baseline)
  endif()
elseif(ATTEND_ARCH MATCHES "^(v3|baseline)$")
  set(level ${ATTEND_ARCH})
else()
  message(FATAL_ERROR "ATTEND_ARCH is '${ATTEND_ARCH}'; it can be auto, v3 or baseline.")
endif()

# What stands in kernels/avx512/ is compiled for AVX-512 as well, and runs where the processor has it.
set(ATTEND_ARCH_FLAGS "")
set(ATTEND_AVX512_FLAGS "")
if(level STREQUAL "v3")
  set(ATTEND_ARCH_FLAGS -march=x86-64-v3)
  # GCC 12 takes the deliberately undefined operand in its own header for a mistake (its bug 105593).
  set(ATTEND_AVX512_FLAGS -mavx512f)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND ATTEND_AVX512_FLAGS -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
endif()
# `./attend doctor` reads this.
set(ATTEND_ARCH_LEVEL ${level} CACHE INTERNAL "The architecture level in use")
