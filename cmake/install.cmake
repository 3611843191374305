# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: a tree that may be moved as a whole, and from it the Debian package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(SWELL_PYTHON_FOLDER lib/python3/dist-packages CACHE STRING "Where below the prefix the Python module goes")

install(TARGETS swell RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES include/swell.h include/swell.f90 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/swell)
# The static library requires the libraries that it links; it is a component of its own, so that others need not have them.
foreach(kind shared static)
  install(TARGETS swell_${kind} EXPORT swell-${kind} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT swell-${kind} NAMESPACE swell:: DESTINATION ${package})
endforeach()
configure_package_config_file(cmake/swell-config.cmake.in ${CMAKE_BINARY_DIR}/install/swell-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/swell-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/install/swell-config.cmake ${CMAKE_BINARY_DIR}/install/swell-config-version.cmake
        DESTINATION ${package})
file(RELATIVE_PATH SWELL_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" SWELL_PC_PREFIX ${SWELL_PC_PREFIX})
configure_file(cmake/swell.pc.in ${CMAKE_BINARY_DIR}/install/swell.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/install/swell.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Completions and the manual are what the command says of itself.
set(texts)
foreach(shell bash zsh fish)
  set(text ${CMAKE_BINARY_DIR}/install/completion.${shell})
  add_custom_command(OUTPUT ${text} COMMAND swell completion ${shell} > ${text} DEPENDS swell VERBATIM)
  list(APPEND texts ${text})
endforeach()
set(text ${CMAKE_BINARY_DIR}/install/swell.1)
add_custom_command(OUTPUT ${text} COMMAND swell manual > ${text} DEPENDS swell VERBATIM)
add_custom_target(swell_texts ALL DEPENDS ${texts} ${text})
install(FILES ${text} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/install/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME swell)
install(FILES ${CMAKE_BINARY_DIR}/install/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _swell)
install(FILES ${CMAKE_BINARY_DIR}/install/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME swell.fish)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# Licences of the libraries inside the page of the live view, which the program carries.
install(FILES web/dist/LICENCES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples verify DESTINATION ${CMAKE_INSTALL_DATADIR}/swell PATTERN __pycache__ EXCLUDE)

if(TARGET swell_python)
  install(TARGETS swell_python LIBRARY DESTINATION ${SWELL_PYTHON_FOLDER}/swell)
  install(DIRECTORY python/swell DESTINATION ${SWELL_PYTHON_FOLDER} PATTERN __pycache__ EXCLUDE)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME swell)
set(CPACK_PACKAGE_VENDOR "The Swell developers")
set(CPACK_PACKAGE_CONTACT "The Swell developers <swell@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "High-order finite elements for waves, transport and heat on any processor")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
# Linked libraries are found by dpkg-shlibdeps; a compiler makes the processor's kernels at run time.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++")
if(TARGET swell_python)
  # The module is for one version of Python.
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS
         ", python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "openmpi-bin, ocl-icd-libopencl1, python3-matplotlib, gfortran")
include(CPack)
