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

# swell_test(NAME FOLDER [SHARDS n] [COST seconds] [OPTIMIZE level] LINKS...): every .cpp in FOLDER becomes the program test_NAME.
# Its tests are one entry of ctest, or n entries NAME_1 to NAME_n that run at the same time; COST is about the seconds of all of
# them, OPTIMIZE the level at which they compile kernels.
function(swell_test name folder)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "SHARDS;COST;OPTIMIZE" "")
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${test_UNPARSED_ARGUMENTS} GTest::gtest_main)
  swell_use_precompiled(test_${name} swell_test_headers)
  target_compile_definitions(test_${name} PRIVATE SWELL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(NOT test_COST)
    set(test_COST 0)
  endif()
  set(environment)
  if(DEFINED test_OPTIMIZE)
    set(environment SWELL_KERNEL_OPTIMIZE=${test_OPTIMIZE})
  endif()
  if(NOT test_SHARDS)
    add_test(NAME ${name} COMMAND test_${name})
    set_tests_properties(${name} PROPERTIES COST ${test_COST} ENVIRONMENT "${environment}")
    return()
  endif()
  math(EXPR cost "${test_COST} / ${test_SHARDS}")
  foreach(number RANGE 1 ${test_SHARDS})
    math(EXPR index "${number} - 1")
    add_test(NAME ${name}_${number} COMMAND test_${name})
    set_tests_properties(${name}_${number} PROPERTIES COST ${cost}
      ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=${test_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# swell_test_environment(): for every test of the current folder, called at its end. All tests share one cache of compiled
# kernels below the build tree and leave temporary files there. They optimize kernels of CPUs less than a run does,
# since their claims are about results; tests about speed set the usual level themselves. PoCL compiles each kernel once, for groups
# of any size, and not again for the sizes that are launched. What a test sets itself stands behind what all have, and counts.
set(SWELL_TEST_FOLDER ${CMAKE_BINARY_DIR}/tests)
file(MAKE_DIRECTORY ${SWELL_TEST_FOLDER}/pocl-cache ${SWELL_TEST_FOLDER}/tmp)
function(swell_test_environment)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    get_property(own TEST ${test} PROPERTY ENVIRONMENT)
    set_property(TEST ${test} PROPERTY ENVIRONMENT SWELL_CACHE=${SWELL_TEST_FOLDER}/kernel-cache
      POCL_CACHE_DIR=${SWELL_TEST_FOLDER}/pocl-cache TMPDIR=${SWELL_TEST_FOLDER}/tmp SWELL_KERNEL_OPTIMIZE=1
      POCL_WORK_GROUP_SPECIALIZATION=0 ${own})
  endforeach()
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
