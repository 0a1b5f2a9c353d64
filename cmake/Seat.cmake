# tutorials/seat/: what ./attend keeps of a reader, and shows: attend_seat, and its parts for the tests.
set(seat "${PROJECT_SOURCE_DIR}/tutorials/seat")
file(GLOB parts CONFIGURE_DEPENDS "${seat}/*.cpp")
list(REMOVE_ITEM parts "${seat}/main.cpp")
add_library(seat_parts STATIC ${parts})
target_link_libraries(seat_parts PRIVATE attend_strict PUBLIC attend_lesson)
target_precompile_headers(seat_parts REUSE_FROM attend_parsed)

add_executable(attend_seat "${seat}/main.cpp")
target_link_libraries(attend_seat PRIVATE attend_strict seat_parts)
target_compile_definitions(attend_seat PRIVATE ATTEND_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
set_target_properties(attend_seat PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tutorials")
