# SPDX-License-Identifier: Apache-2.0
# Finds the interpreter that the Python module is for: the one that -DPython3_EXECUTABLE names, else Debian's, even where another
# python3 comes first on the PATH, for numpy, pybind11 and matplotlib are packages of Debian's. Sets SWELL_PYTHON_OBSTACLE to why
# the module cannot be built, or to nothing.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The interpreter that the Python module is for")
endif()
find_package(Python3 3.8 QUIET COMPONENTS Interpreter OPTIONAL_COMPONENTS Development.Module)
set(SWELL_PYTHON_OBSTACLE "")
if(NOT Python3_Interpreter_FOUND)
  set(SWELL_PYTHON_OBSTACLE "there is no Python 3.8 or later")
elseif(NOT Python3_Development.Module_FOUND)
  set(SWELL_PYTHON_OBSTACLE "${Python3_EXECUTABLE} has no headers (python3-dev)")
else()
  find_package(pybind11 2.9 CONFIG QUIET)
  if(NOT pybind11_FOUND)
    set(SWELL_PYTHON_OBSTACLE "there is no pybind11 (pybind11-dev)")
  endif()
endif()
