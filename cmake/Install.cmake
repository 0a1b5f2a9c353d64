# Installs the engine and the layers (not the tutorials) with a package config: find_package(attend), attend::nn.
include(CMakePackageConfigHelpers)

install(TARGETS attend_tensor attend_autograd attend_nn EXPORT attend-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# All headers but those that tensor/ keeps to itself. xtensor.hpp goes along for the opt-in bridge xt.hpp.
install(DIRECTORY tensor autograd nn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/attend FILES_MATCHING PATTERN "*.hpp"
  REGEX "/tensor/(inner|kernels)/" EXCLUDE)
install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/attend)
install(EXPORT attend-targets NAMESPACE attend:: DESTINATION ${config_folder})
configure_package_config_file(cmake/attend-config.cmake.in ${PROJECT_BINARY_DIR}/attend-config.cmake
  INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/attend-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/attend-config.cmake ${PROJECT_BINARY_DIR}/attend-config-version.cmake
  DESTINATION ${config_folder})
