# Headers that nearly every file includes are parsed once for each set of compiler flags, not once a file: a third of
# the time of most files. Only headers that no edit here changes; what a file uses it still includes by name, and the
# sanitize preset, which has CMAKE_DISABLE_PRECOMPILE_HEADERS, fails where one does not.
set(attend_standard_headers <algorithm> <cmath> <functional> <limits> <map> <memory> <optional> <set> <stdexcept>
  <string> <utility> <vector>)

# attend_parsed: those of all chapters, exercises and tests, by
#   target_precompile_headers(name REUSE_FROM attend_parsed)
# A target of its own, because a precompiled header demands all macros that its owner was given.
set(nothing "${PROJECT_BINARY_DIR}/nothing.cpp")
file(CONFIGURE OUTPUT "${nothing}" CONTENT "")
add_library(attend_parsed OBJECT EXCLUDE_FROM_ALL "${nothing}")
target_link_libraries(attend_parsed PRIVATE attend_options)
target_precompile_headers(attend_parsed PRIVATE ${attend_standard_headers})
