# SPDX-License-Identifier: Apache-2.0
# libswell.so and libswell.a behind include/swell.h. Only what the header names can be seen in the shared one.
set(SWELL_ABI 1)
set(script ${CMAKE_CURRENT_SOURCE_DIR}/api/symbols.map)
add_library(swell_shared SHARED $<TARGET_OBJECTS:swell_api>)
target_link_libraries(swell_shared PRIVATE swell_sim)
target_link_options(swell_shared PRIVATE LINKER:--version-script=${script} LINKER:--no-undefined)
set_target_properties(swell_shared PROPERTIES LINK_DEPENDS ${script} LINKER_LANGUAGE CXX)

set(objects)
get_property(rooms GLOBAL PROPERTY SWELL_ROOMS)
foreach(room IN LISTS rooms)
  list(APPEND objects $<TARGET_OBJECTS:swell_${room}>)
endforeach()
add_library(swell_static STATIC ${objects})
set_target_properties(swell_static PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME static)
set_target_properties(swell_shared PROPERTIES EXPORT_NAME swell)

foreach(kind shared static)
  set_target_properties(swell_${kind} PROPERTIES OUTPUT_NAME swell VERSION ${PROJECT_VERSION} SOVERSION ${SWELL_ABI})
  target_include_directories(swell_${kind} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
endforeach()
# What the rooms link, for those who link the static library.
foreach(library fmt::fmt Threads::Threads ZLIB::ZLIB ${CMAKE_DL_LIBS} ${SWELL_TOML} ${SWELL_METIS} ${SWELL_HDF5_LIBRARY})
  target_link_libraries(swell_static INTERFACE ${library})
endforeach()
if(MPI_CXX_FOUND)
  target_link_libraries(swell_static INTERFACE MPI::MPI_CXX)
endif()
if(OpenMP_CXX_FOUND)
  target_link_libraries(swell_static INTERFACE ${OpenMP_CXX_LIBRARIES})
endif()
