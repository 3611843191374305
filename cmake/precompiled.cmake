# SPDX-License-Identifier: Apache-2.0
# Headers that most objects include, compiled once for the rooms and once, with GoogleTest, for the tests. Every file includes
# what it needs all the same: a build without this, such as one with a compiler cache, which cannot look into them, sees to that.
set(use ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(use OFF)
endif()
option(SWELL_PCH "Precompile headers that most objects include" ${use})

set(SWELL_COMMON_HEADERS
  <Eigen/Dense> <fmt/format.h> <fmt/ranges.h>
  <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <optional> <set> <span> <string>
  <string_view> <vector>)

# swell_precompiled_headers(NAME LINKS ... HEADERS ...): a library without code that owns a precompiled header.
function(swell_precompiled_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 it "" "" "LINKS;HEADERS")
  set(source ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Owns a precompiled header.\n")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE swell_options ${it_LINKS})
  target_precompile_headers(${name} PRIVATE ${it_HEADERS})
endfunction()

# swell_use_precompiled(TARGET OWNER): the target's objects begin with the owner's headers.
function(swell_use_precompiled target owner)
  if(SWELL_PCH)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
