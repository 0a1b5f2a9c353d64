# attend_library(name folder): the static library attend_<name>, alias attend::<name>, of every .cpp below `folder`.
# Includes are rooted at the repository: #include "tensor/tensor.hpp".
function(attend_library name folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  add_library(attend_${name} STATIC ${sources})
  add_library(attend::${name} ALIAS attend_${name})
  set_target_properties(attend_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX
    POSITION_INDEPENDENT_CODE ON ATTEND_LEVEL 2)
  target_compile_features(attend_${name} PUBLIC cxx_std_17)
  target_link_libraries(attend_${name} PRIVATE $<BUILD_INTERFACE:attend_strict>)
  # An installed header is reached as <attend/nn/linear.hpp> and as "nn/linear.hpp".
  target_include_directories(attend_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/attend> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()
