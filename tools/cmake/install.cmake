# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` lays down besides the programs of tools/: the libraries, their headers, the documentation and the CMake
# package, with which find_package(Fletcher) offers Fletcher::checker, Fletcher::reports and Fletcher::fletcher.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Fletcher)
set(exported fletcher_warnings fletcher_profile)
foreach(name IN ITEMS checker reports)
  set_target_properties(fletcher_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(fletcher_${name} PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/fletcher>)
  list(APPEND exported fletcher_${name})
endforeach()
foreach(folder IN ITEMS checker reports)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fletcher
          FILES_MATCHING PATTERN "*.hpp")
endforeach()
foreach(name IN ITEMS fletcher fletcher_static)
  if(TARGET ${name})
    target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    list(APPEND exported ${name})
  endif()
endforeach()

install(TARGETS ${exported} EXPORT FletcherTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT FletcherTargets NAMESPACE Fletcher:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/FletcherConfig.cmake.in ${PROJECT_BINARY_DIR}/FletcherConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/FletcherConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/FletcherConfig.cmake ${PROJECT_BINARY_DIR}/FletcherConfigVersion.cmake
        DESTINATION ${package_dir})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN man EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright) # where Debian looks for it
if(EXISTS ${PROJECT_SOURCE_DIR}/README.md)
  install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
