# SPDX-License-Identifier: Apache-2.0
# How hard the compiler works on the host's code. Almost all of it prepares a run once, and the kernels, where a run spends its
# time, are compiled while it runs: -O1 there makes the build a third shorter, and set-up is not measurably slower. Files that
# stand out in a profile keep -O3. No option here changes what floating-point numbers come out.
set(SWELL_HOT
  # Expressions of a case, at every node and at every instant.
  base/expression.cpp base/expression_steps.cpp base/many_functions.cpp
  # Sums over all unknowns that are the same in any order.
  base/exact_sum.cpp
  # Threads take their shares many thousand times a second.
  device/cpu/pool.cpp
  # Coordinates, order and search of all cells, their material and metrics, and the numbers of their nodes: what a profile of
  # set-up shows.
  mesh/box.cpp mesh/check.cpp mesh/connect.cpp mesh/geometry.cpp mesh/locator.cpp mesh/space_filling.cpp model/material.cpp
  mesh/gmsh/build.cpp mesh/gmsh/cursor.cpp mesh/gmsh/version4.cpp cg/blocks/blocks.cpp cg/levels.cpp
  dg/group_data.cpp dg/layout.cpp dg/metrics.cpp dg/stiffness.cpp cg/numbering.cpp
  # Pixels.
  io/draw/raster.cpp
  # Eigen beside our own products: both are to do their best.
  study/bench/heat_eigen.cpp)

target_compile_options(swell_options INTERFACE $<$<CONFIG:Release>:-O1>)

# swell_optimise_hot_files(): called where the rooms are made, for properties of files belong to a folder.
function(swell_optimise_hot_files)
  foreach(file IN LISTS SWELL_HOT)
    set(path ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "cmake/optimisation.cmake names src/${file}, which is not there.")
    endif()
    # Inline functions of a precompiled header have the optimisation that it was made with.
    set_property(SOURCE ${path} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
    set_property(SOURCE ${path} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endfunction()
