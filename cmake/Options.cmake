# attend_options: what every target of ours is compiled with. Linked privately, never exported.
add_library(attend_options INTERFACE)
target_compile_options(attend_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow $<$<CONFIG:Release>:-O2>)

# attend_strict adds the errors. Apart, because a reader's half-written exercise may have an unused parameter.
add_library(attend_strict INTERFACE)
target_link_libraries(attend_strict INTERFACE attend_options)
target_compile_options(attend_strict INTERFACE $<$<BOOL:${ATTEND_WERROR}>:-Werror>)
