# Headers that nearly every file includes are parsed once for each set of compiler flags, not once a file: a third of
# the time of most files. Only headers that no edit here changes; what a file uses it still includes by name, and the
# sanitize preset, which has CMAKE_DISABLE_PRECOMPILE_HEADERS, fails where one does not.
set(attend_standard_headers <algorithm> <cmath> <functional> <limits> <map> <memory> <optional> <set> <stdexcept>
  <string> <utility> <vector>)

# attend_parsed_1 and attend_parsed_0: those of all chapters, and of all tests and exercises, by
#   target_precompile_headers(name REUSE_FROM attend_parsed_0)
# Targets of their own, because a precompiled header demands all macros that its owner was given.
set(nothing "${PROJECT_BINARY_DIR}/nothing.cpp")
file(CONFIGURE OUTPUT "${nothing}" CONTENT "")
foreach(level 0 1)
  add_library(attend_parsed_${level} OBJECT EXCLUDE_FROM_ALL "${nothing}")
  target_link_libraries(attend_parsed_${level} PRIVATE attend_options)
  set_target_properties(attend_parsed_${level} PROPERTIES ATTEND_LEVEL ${level})
  target_precompile_headers(attend_parsed_${level} PRIVATE ${attend_standard_headers})
endforeach()
