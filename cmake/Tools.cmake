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
    set_target_properties(bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/benchmarks")
  endforeach()
endif()
