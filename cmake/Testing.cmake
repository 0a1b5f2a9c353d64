# attend_test(NAME nn/attention/additive COMMAND ... [TARGETS ...] [LABEL ...] [TIMEOUT s] [PROCESSORS n])
# registers a ctest and remembers which targets it needs: `./attend test WORD` builds those and no others.
function(attend_test)
  if(NOT ATTEND_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;LABEL;TIMEOUT;PROCESSORS" "COMMAND;TARGETS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  if(NOT arg_LABEL)
    string(REGEX REPLACE "/.*" "" arg_LABEL "${arg_NAME}")  # the top folder
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND})
  # BLAS threads of tests that run side by side would only get in each other's way.
  set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABEL}" TIMEOUT ${arg_TIMEOUT}
    PROCESSORS ${arg_PROCESSORS} SKIP_RETURN_CODE 77
    ENVIRONMENT "OPENBLAS_NUM_THREADS=1;UBSAN_OPTIONS=print_stacktrace=1")
  list(JOIN arg_TARGETS " " targets)
  set_property(GLOBAL APPEND_STRING PROPERTY attend_test_table "${arg_NAME}\t${targets}\n")
endfunction()

# Writes test_targets.tsv in the build folder: the ctest name, a tab, the targets it needs.
function(attend_write_test_table)
  get_property(table GLOBAL PROPERTY attend_test_table)
  file(WRITE "${PROJECT_BINARY_DIR}/test_targets.tsv" "${table}")
endfunction()
