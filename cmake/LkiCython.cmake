# lki_extension(<name>): <name>.pyx in the current folder -> lkicore/<name>.<soabi>.so
#
# The one way from .pyx to .so. Cython always runs behind cython_gate.py, which fails the build on a performance hint.
# Needs find_package(Python COMPONENTS Interpreter Development.Module) and the options LKI_DEBUG, LKI_NATIVE, LKI_TRACE.

set(LKI_CYTHON_GATE "${CMAKE_CURRENT_LIST_DIR}/cython_gate.py")

execute_process(
  COMMAND "${Python_EXECUTABLE}" -c "import Cython; print(Cython.__version__)"
  OUTPUT_VARIABLE LKI_CYTHON_VERSION
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET
  RESULT_VARIABLE lki_no_cython)
if(lki_no_cython)
  message(FATAL_ERROR "${Python_EXECUTABLE} cannot import Cython: install it there, or build with isolation")
endif()
message(STATUS "Cython ${LKI_CYTHON_VERSION} of ${Python_EXECUTABLE}")

# Every directive of every module: a .pyx carries none of its own.
set(LKI_DIRECTIVES
    language_level=3
    wraparound=False
    initializedcheck=False
    nonecheck=False
    cdivision=True
    freethreading_compatible=True
    embedsignature=True
    binding=True
    show_performance_hints=True)
set(LKI_GATE_ARGS)
if(LKI_DEBUG)
  list(APPEND LKI_DIRECTIVES boundscheck=True)
  # What a bounds check costs is known, and wanted here.
  list(APPEND LKI_GATE_ARGS --allow "Use boundscheck(False)")
else()
  list(APPEND LKI_DIRECTIVES boundscheck=False)
endif()
if(LKI_TRACE)
  list(APPEND LKI_DIRECTIVES linetrace=True)
endif()

set(LKI_CYTHON_ARGS --fast-fail -Werror)
foreach(directive IN LISTS LKI_DIRECTIVES)
  list(APPEND LKI_CYTHON_ARGS -X ${directive})
endforeach()

set(LKI_C_OPTIONS
    -fno-math-errno
    -fvisibility=hidden
    -fno-semantic-interposition
    -Wall
    # Noise of the C that Cython writes.
    -Wno-unused-function
    -Wno-unused-variable
    -Wno-unused-but-set-variable
    -Wno-maybe-uninitialized)
if(LKI_DEBUG)
  list(APPEND LKI_C_OPTIONS -O1 -g -UNDEBUG -DLKI_DEBUG=1 -fno-omit-frame-pointer)
  set(LKI_SANITIZERS -fsanitize=address,undefined -fno-sanitize-recover=undefined)
else()
  # Measured on whole games: 1 to 4 % over -O3. The loops are short (three words of a bit set, a hand of cards), so that
  # vector code and what -O3 unrolls and peels only get in the way.
  list(APPEND LKI_C_OPTIONS -O2 -fno-tree-vectorize)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # Measured: 4 to 8 % on whole games. The accessors of a module are small and many; gcc's own limit leaves calls.
    list(APPEND LKI_C_OPTIONS -fipa-pta -finline-limit=2000)
  endif()
  set(LKI_SANITIZERS)
endif()
if(LKI_NATIVE)
  list(APPEND LKI_C_OPTIONS -march=native)
endif()
if(LKI_TRACE)
  list(APPEND LKI_C_OPTIONS -DCYTHON_TRACE_NOGIL=1 -DCYTHON_USE_SYS_MONITORING=0)
endif()

function(lki_extension name)
  set(pyx "${CMAKE_CURRENT_SOURCE_DIR}/${name}.pyx")
  if(NOT EXISTS "${pyx}")
    message(FATAL_ERROR "LKI_MODULES names ${name}, but there is no ${pyx}")
  endif()
  if(LKI_TRACE)
    # Cython's coverage plugin finds a .pyx only through a .c lying beside it.
    set(c "${CMAKE_CURRENT_SOURCE_DIR}/${name}.c")
  else()
    set(c "${CMAKE_CURRENT_BINARY_DIR}/${name}.c")
  endif()
  # The depfile names every .pxd and .pxi that the module reads, at any depth.
  add_custom_command(
    OUTPUT "${c}"
    COMMAND
      "${Python_EXECUTABLE}" "${LKI_CYTHON_GATE}" ${LKI_GATE_ARGS} -- ${LKI_CYTHON_ARGS}
      -I "${PROJECT_SOURCE_DIR}/src" --module-name lkicore.${name} --depfile "${pyx}" --output-file "${c}"
    MAIN_DEPENDENCY "${pyx}"
    DEPENDS "${LKI_CYTHON_GATE}"
    DEPFILE "${c}.dep"
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMENT "Cython ${name}.pyx"
    VERBATIM)
  python_add_library(${name} MODULE "${c}" WITH_SOABI)
  target_compile_features(${name} PRIVATE c_std_11)
  target_compile_options(${name} PRIVATE ${LKI_C_OPTIONS} ${LKI_SANITIZERS})
  target_link_options(${name} PRIVATE ${LKI_SANITIZERS})
  install(TARGETS ${name} DESTINATION lkicore)
endfunction()
