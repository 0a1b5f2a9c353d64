# attend_options: what every target of ours is compiled with. Linked privately, never exported. In Release its level of
# optimisation is that of the target's property ATTEND_LEVEL: 3 of the kernels, 2 of the benchmarks and of the engine
# (but for the rules of ops, CMakeLists.txt), and g, where nothing is said, of layers, chapters, exercises and tests:
# they are most of what is to be compiled, and only call what is quick. GCC compiles them with -Og no slower than with
# -O0, and in two thirds of the time of -O1.
add_library(attend_options INTERFACE)
# -Wshadow is Clang's alone (the sanitize preset): a derivative rule names its inputs as the op does, in a lambda that
# captures nothing, so nothing is hidden; GCC warns all the same.
target_compile_options(attend_options INTERFACE -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:Clang>:-Wshadow>
  $<$<CONFIG:Release>:-O$<IF:$<BOOL:$<TARGET_PROPERTY:ATTEND_LEVEL>>,$<TARGET_PROPERTY:ATTEND_LEVEL>,g>>)

# gold, which comes with GNU's linker, links in half its time, and there are some 400 programs. Not for Clang, of whose
# sanitizers gold warns.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold ATTEND_HAS_GOLD)
  target_link_options(attend_options INTERFACE $<$<BOOL:${ATTEND_HAS_GOLD}>:-fuse-ld=gold>)
endif()

# attend_strict adds the errors. Apart, because a reader's half-written exercise may have an unused parameter.
add_library(attend_strict INTERFACE)
target_link_libraries(attend_strict INTERFACE attend_options)
target_compile_options(attend_strict INTERFACE $<$<BOOL:${ATTEND_WERROR}>:-Werror>)
