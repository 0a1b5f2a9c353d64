#pragma once

namespace attend::lesson {

/// The files report.html, report.css and report.js as text: CMake puts them into the program (files.cpp.in).
extern const char* const report_frame;
extern const char* const report_style;
extern const char* const report_script;

}  // namespace attend::lesson
