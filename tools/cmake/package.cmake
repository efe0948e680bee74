# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What makes an installation at home on a system: manual pages, completion, pkg-config; and packages of it, which `cpack` in the
# build tree makes.
set(manual ${PROJECT_SOURCE_DIR}/docs/man)
set(options_page ${PROJECT_BINARY_DIR}/man/fletcher-options.7)
add_custom_command(OUTPUT ${options_page}
  COMMAND ${CMAKE_COMMAND} -DFLETCHER=$<TARGET_FILE:fletcher_cli> -DTEMPLATE=${manual}/fletcher-options.7.in -DOUTPUT=${options_page}
          -P ${CMAKE_CURRENT_LIST_DIR}/options_page.cmake
  DEPENDS fletcher_cli ${manual}/fletcher-options.7.in ${CMAKE_CURRENT_LIST_DIR}/options_page.cmake VERBATIM)
add_custom_target(fletcher_manual ALL DEPENDS ${options_page})
install(FILES ${manual}/fletcher.1 ${manual}/fletcher-cc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${options_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
foreach(driver IN ITEMS c++ fc)
  file(WRITE ${PROJECT_BINARY_DIR}/man/fletcher-${driver}.1 ".so man1/fletcher-cc.1\n")
  install(FILES ${PROJECT_BINARY_DIR}/man/fletcher-${driver}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()

set(completion ${PROJECT_SOURCE_DIR}/tools/completion)
install(FILES ${completion}/fletcher.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME fletcher)
install(FILES ${completion}/_fletcher DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/fletcher.pc.in ${PROJECT_BINARY_DIR}/fletcher.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/fletcher.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(CPACK_GENERATOR DEB TZST)
set(CPACK_PACKAGE_NAME fletcher)
set(CPACK_PACKAGE_FILE_NAME fletcher-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CONTACT "Fletcher's maintainers <fletcher@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Fletcher finds races and deadlocks in OpenMP programs of C, C++ and Fortran, with\n the task that each access is in, the reason, and often the line to add.")
# What the programs are linked to, and what a check cannot do without. A compiler is needed for all but `fletcher run`.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libomp5-${FLETCHER_LLVM_VERSION} | libomp5")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-${FLETCHER_LLVM_VERSION}, libomp-${FLETCHER_LLVM_VERSION}-dev, llvm-${FLETCHER_LLVM_VERSION}")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, gfortran, pkg-config")
include(CPack)
