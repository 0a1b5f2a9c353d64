# Finds what attend is built on. A missing package is named as Debian names it, all missing ones in one message.

set(attend_missing "")

macro(attend_need package debian_name)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    list(APPEND attend_missing ${debian_name})
  endif()
endmacro()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

attend_need(xtensor libxtensor-dev)
attend_need(xsimd libxsimd-dev)
attend_need(nlohmann_json nlohmann-json3-dev)
# xtensor-blas's own config would bring in whichever BLAS it finds; its headers are all we want.
find_path(ATTEND_XTENSOR_BLAS xtensor-blas/xblas.hpp)
find_library(ATTEND_OPENBLAS openblas)
mark_as_advanced(ATTEND_XTENSOR_BLAS ATTEND_OPENBLAS)
if(NOT ATTEND_XTENSOR_BLAS)
  list(APPEND attend_missing libxtensor-blas-dev)
endif()
if(NOT ATTEND_OPENBLAS)
  list(APPEND attend_missing libopenblas-dev)
endif()
if(ATTEND_TUTORIALS)
  attend_need(fmt libfmt-dev)
  attend_need(CLI11 libcli11-dev)
endif()
if(ATTEND_TESTS)
  attend_need(doctest doctest-dev)
endif()

if(attend_missing)
  list(JOIN attend_missing " " attend_missing)
  message(FATAL_ERROR "Missing packages. On Debian install them with\n  apt-get install ${attend_missing}\n"
    "or let ./attend do it: ./attend test")
endif()
