# Every tutorials/NN_name/ becomes
#   chapter_NN                from main.cpp
#   chapter_NN_parts          from its other files (model.cpp, ...), which tests and exercises link too
#   check_NN_K_main           check_K_name.cpp, an object file of the three that follow
#   check_NN_K                check_K_name.cpp + exercise_K_name.cpp   what `./attend check NN K` builds and runs
#   check_NN_K_solution       check_K_name.cpp + solution_K_name.cpp   must pass
#   check_NN_K_wrong          check_K_name.cpp + wrong_K_name.cpp      run with --wrong: each bug gets its own message

function(attend_exercise number folder check_source)
  get_filename_component(stem "${check_source}" NAME_WE)       # check_1_soft_weights
  string(REGEX REPLACE "^check_" "" exercise "${stem}")        # 1_soft_weights
  string(REGEX REPLACE "_.*" "" k "${exercise}")               # 1
  set(target check_${number}_${k})
  set(test exercises/${number}/${k})

  add_library(${target}_main OBJECT "${check_source}")
  target_link_libraries(${target}_main PRIVATE attend_strict attend_lesson attend_nn)
  target_precompile_headers(${target}_main REUSE_FROM attend_parsed)

  foreach(kind exercise solution wrong)
    set(source "${folder}/${kind}_${exercise}.cpp")
    if(NOT EXISTS "${source}")
      message(FATAL_ERROR "${check_source} has no ${kind}_${exercise}.cpp beside it.")
    endif()
    if(kind STREQUAL "exercise")
      set(program ${target})
      set(options attend_options)  # without -Werror: half-written code is the point
    else()
      set(program ${target}_${kind})
      set(options attend_strict)
    endif()
    add_executable(${program} "${source}")
    target_link_libraries(${program} PRIVATE ${options} ${target}_main chapter_${number}_parts attend_lesson attend_nn)
    target_precompile_headers(${program} REUSE_FROM attend_parsed)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tutorials")
  endforeach()

  attend_test(NAME ${test}/starter TARGETS ${target} LABEL exercises
    COMMAND "${PROJECT_SOURCE_DIR}/tests/commands/starter_fails" $<TARGET_FILE:${target}>
      "${folder}/exercise_${exercise}.cpp")
  attend_test(NAME ${test}/solution TARGETS ${target}_solution LABEL exercises COMMAND ${target}_solution)
  attend_test(NAME ${test}/wrong TARGETS ${target}_wrong LABEL exercises COMMAND ${target}_wrong --wrong)
endfunction()

function(attend_chapter main_source)
  get_filename_component(folder "${main_source}" DIRECTORY)
  get_filename_component(name "${folder}" NAME)
  string(SUBSTRING "${name}" 0 2 number)
  set(chapter chapter_${number})

  file(GLOB parts CONFIGURE_DEPENDS "${folder}/*.cpp")
  list(FILTER parts EXCLUDE REGEX "/(main|(exercise|solution|wrong|check)_[0-9][^/]*)\\.cpp$")
  if(parts)
    add_library(${chapter}_parts STATIC ${parts})
    target_link_libraries(${chapter}_parts PRIVATE attend_strict PUBLIC attend_lesson attend_nn)
    target_precompile_headers(${chapter}_parts REUSE_FROM attend_parsed)
  else()
    add_library(${chapter}_parts INTERFACE)
    target_link_libraries(${chapter}_parts INTERFACE attend_lesson attend_nn)
  endif()

  add_executable(${chapter} "${main_source}")
  target_link_libraries(${chapter} PRIVATE attend_strict ${chapter}_parts)
  target_precompile_headers(${chapter} REUSE_FROM attend_parsed)
  # Where results.tsv lies: what --full measured, and what the page states.
  set_source_files_properties(${parts} "${main_source}" PROPERTIES
    COMPILE_DEFINITIONS ATTEND_CHAPTER_DIR="${folder}")
  set_target_properties(${chapter} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tutorials")
  # --quick is meant to take 10 s; the limit leaves room for a slow machine.
  attend_test(NAME chapters/${number} TARGETS ${chapter} COMMAND ${chapter} --quick PROCESSORS 2 TIMEOUT 120)

  file(GLOB checks CONFIGURE_DEPENDS "${folder}/check_[0-9]*.cpp")
  foreach(check ${checks})
    attend_exercise(${number} "${folder}" "${check}")
  endforeach()
endfunction()

file(GLOB mains CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tutorials/[0-9][0-9]_*/main.cpp")
foreach(main ${mains})
  attend_chapter("${main}")
endforeach()
