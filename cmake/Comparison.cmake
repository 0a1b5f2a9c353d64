# tutorials/comparison/: the programs that look at all variants of attention at once. identities.cpp and variants.cpp
# become programs of that name, for ./attend identities and ./attend variants; what else is there, they share.
set(comparison "${PROJECT_SOURCE_DIR}/tutorials/comparison")
file(GLOB parts CONFIGURE_DEPENDS "${comparison}/*.cpp")
list(FILTER parts EXCLUDE REGEX "/(identities|variants)\\.cpp$")
add_library(comparison_parts STATIC ${parts})
target_link_libraries(comparison_parts PRIVATE attend_strict PUBLIC attend_lesson attend_nn)
target_precompile_headers(comparison_parts REUSE_FROM attend_parsed)

foreach(name identities variants)
  add_executable(${name} "${comparison}/${name}.cpp")
  target_link_libraries(${name} PRIVATE attend_strict comparison_parts)
  target_precompile_headers(${name} REUSE_FROM attend_parsed)
  target_compile_definitions(${name} PRIVATE ATTEND_COMPARISON_DIR="${comparison}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tutorials")
endforeach()
# Where results.tsv lies: what ./attend variants --full has trained.
attend_test(NAME comparison/identities TARGETS identities COMMAND identities)
attend_test(NAME comparison/variants TARGETS variants COMMAND variants --quick)
attend_test(NAME comparison/slopes TARGETS variants COMMAND variants --quick --slopes)
