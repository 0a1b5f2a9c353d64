# The frame, style and script of a chapter's report are files that editors know how to colour. A program carries them
# inside: a report needs nothing beside it, and neither does the program that writes it.
set(report_folder "${PROJECT_SOURCE_DIR}/tutorials/lesson/report")
foreach(kind html css js)
  file(READ "${report_folder}/report.${kind}" report_${kind})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${report_folder}/report.${kind}")
endforeach()
configure_file("${report_folder}/files.cpp.in" "${PROJECT_BINARY_DIR}/report_files.cpp" @ONLY)
target_sources(attend_lesson PRIVATE "${PROJECT_BINARY_DIR}/report_files.cpp")
