# `cmake --install`, and the package that find_package(cosmati) reads.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cosmati)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
  PATTERN "*.h")
# CuTe's and CUDA's header names, in a folder of their own, which a program puts on its include path; a link in it leads to the library.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/cute ${PROJECT_SOURCE_DIR}/compat/cutlass
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cosmati-compat FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
# Some of CUDA's headers have no ending.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/cuda DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cosmati-compat)
install(CODE "file(CREATE_LINK ../cosmati
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/cosmati-compat/cosmati\" SYMBOLIC)")
set_target_properties(cosmati_compat PROPERTIES EXPORT_NAME compat)
install(TARGETS cosmati cosmati_compat EXPORT cosmatiTargets)

foreach(name IN ITEMS sim sim_instrumented kernels)
  if(TARGET cosmati_${name})
    set_target_properties(cosmati_${name} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS cosmati_${name} EXPORT cosmatiTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
if(TARGET cosmati_cli)
  install(TARGETS cosmati_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT cosmatiTargets NAMESPACE cosmati:: DESTINATION ${package_folder})

set(COSMATI_PACKAGE_HAS_SIM OFF)
if(TARGET cosmati_sim)
  set(COSMATI_PACKAGE_HAS_SIM ON)
endif()
set(COSMATI_PACKAGE_NEEDS_CUDA OFF)
if(TARGET cosmati_kernels AND COSMATI_CUDA)
  set(COSMATI_PACKAGE_NEEDS_CUDA ON)
endif()
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/cosmatiConfig.cmake.in ${PROJECT_BINARY_DIR}/cosmatiConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cosmatiConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/cosmatiConfig.cmake ${PROJECT_BINARY_DIR}/cosmatiConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/cuda_standard.cmake
  DESTINATION ${package_folder})
