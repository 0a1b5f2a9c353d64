# attend_options: what every target of ours is compiled with. Linked privately, never exported. In Release its level of
# optimisation is that of the target's property ATTEND_LEVEL: 3 of the kernels, 2 of the engine and of the benchmarks, 1
# of the layers and chapters, which only call them and gain nothing from more, and 0, where nothing is said, of tests
# and exercises: they are most of what is to be compiled, and what they run is in the libraries.
add_library(attend_options INTERFACE)
# -Wshadow is Clang's alone (the sanitize preset): a derivative rule names its inputs as the op does, in a lambda that
# captures nothing, so nothing is hidden; GCC warns all the same.
target_compile_options(attend_options INTERFACE -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:Clang>:-Wshadow>
  $<$<CONFIG:Release>:-O$<IF:$<BOOL:$<TARGET_PROPERTY:ATTEND_LEVEL>>,$<TARGET_PROPERTY:ATTEND_LEVEL>,0>>)

# attend_strict adds the errors. Apart, because a reader's half-written exercise may have an unused parameter.
add_library(attend_strict INTERFACE)
target_link_libraries(attend_strict INTERFACE attend_options)
target_compile_options(attend_strict INTERFACE $<$<BOOL:${ATTEND_WERROR}>:-Werror>)
