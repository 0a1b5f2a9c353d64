# What is built only on request: the program by which ./attend learns of OpenBLAS's kernels, and the benchmarks.

add_executable(attend_doctor EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/cmake/doctor.cpp")
target_link_libraries(attend_doctor PRIVATE attend_strict "${ATTEND_OPENBLAS}")

# tests/benchmarks/NAME.cpp becomes bench_NAME, where Google Benchmark is installed.
find_package(benchmark QUIET)
file(GLOB benchmarks CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/benchmarks/*.cpp")
if(benchmark_FOUND)
  foreach(source ${benchmarks})
    get_filename_component(name "${source}" NAME_WE)
    add_executable(bench_${name} EXCLUDE_FROM_ALL "${source}")
    target_link_libraries(bench_${name} PRIVATE attend_strict attend_nn benchmark::benchmark)
    set_target_properties(bench_${name} PROPERTIES ATTEND_LEVEL 2
      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/benchmarks")
  endforeach()
endif()

# tests/benchmarks/versus: attend beside libtorch, where that is installed; torch_*.cpp is libtorch's side. Not by
# Torch's own CMake package, which asks for compilers and libraries that only its extensions need.
find_path(ATTEND_TORCH_API torch/torch.h PATH_SUFFIXES torch/csrc/api/include)
find_library(ATTEND_TORCH torch)
find_library(ATTEND_TORCH_CPU torch_cpu)
find_library(ATTEND_C10 c10)
mark_as_advanced(ATTEND_TORCH_API ATTEND_TORCH ATTEND_TORCH_CPU ATTEND_C10)
if(ATTEND_TUTORIALS AND ATTEND_TORCH_API AND ATTEND_TORCH AND ATTEND_TORCH_CPU AND ATTEND_C10)
  set(versus "${PROJECT_SOURCE_DIR}/tests/benchmarks/versus")
  file(GLOB torch_sources CONFIGURE_DEPENDS "${versus}/torch_*.cpp")
  file(GLOB other_sources CONFIGURE_DEPENDS "${versus}/*.cpp")
  list(REMOVE_ITEM other_sources ${torch_sources})
  add_library(bench_versus_torch OBJECT EXCLUDE_FROM_ALL ${torch_sources})
  target_include_directories(bench_versus_torch PRIVATE "${PROJECT_SOURCE_DIR}")
  target_include_directories(bench_versus_torch SYSTEM PRIVATE "${ATTEND_TORCH_API}")
  add_executable(bench_versus EXCLUDE_FROM_ALL ${other_sources})
  target_link_libraries(bench_versus PRIVATE attend_strict attend_nn bench_versus_torch
    chapter_03_parts chapter_08_parts chapter_10_parts
    "${ATTEND_TORCH}" "${ATTEND_TORCH_CPU}" "${ATTEND_C10}" "${ATTEND_OPENBLAS}")
  set_target_properties(bench_versus PROPERTIES ATTEND_LEVEL 2
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/benchmarks")
endif()
