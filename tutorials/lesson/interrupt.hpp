#pragma once

#include <string>

/// Ctrl-C leaves nothing half done.

namespace attend::lesson {

/// From now on Ctrl-C (and a request to terminate or a closed terminal) removes the remembered temporary files, resets
/// the terminal's colours, and ends the program at once. Call it once, at the start; `run` does. A signal that was
/// ignored when the program started, as under nohup, stays ignored.
void end_cleanly_when_interrupted();

/// Files to remove then. At most 16 at a time: throws std::length_error beyond, and for a path of 4096 bytes or more.
void remember_temporary_file(const std::string& path);
void forget_temporary_file(const std::string& path);

}  // namespace attend::lesson
