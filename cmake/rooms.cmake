# SPDX-License-Identifier: Apache-2.0
# One library a room, one test program a room: a room builds and is tested without the rooms above it.

# swell_room(NAME LINKS...): every .cpp below src/NAME becomes the library swell_NAME.
function(swell_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(swell_${name} STATIC ${sources})
  target_link_libraries(swell_${name} PUBLIC swell_options ${ARGN})
  swell_use_precompiled(swell_${name} swell_common_headers)
  set_property(GLOBAL APPEND PROPERTY SWELL_ROOMS ${name})
endfunction()

# swell_test(NAME FOLDER LINKS...): every .cpp in FOLDER becomes the program test_NAME.
function(swell_test name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${ARGN} GTest::gtest_main)
  swell_use_precompiled(test_${name} swell_test_headers)
  target_compile_definitions(test_${name} PRIVATE SWELL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND test_${name})
endfunction()

# swell_embed(TARGET NAMESPACE FILES...): texts that travel inside the library, by their path below src/.
function(swell_embed target name)
  swell_embed_from(${CMAKE_CURRENT_SOURCE_DIR} ${target} ${name} ${ARGN})
endfunction()

# swell_embed_from(ROOT TARGET NAMESPACE FILES...): the same by their path below ROOT.
function(swell_embed_from root target name)
  set(output ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAME=${name} -DROOT=${root}
            "-DFILES=${ARGN}" -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
