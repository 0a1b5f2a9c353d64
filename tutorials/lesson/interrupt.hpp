#pragma once

/// Ctrl-C leaves nothing half done.

namespace attend::lesson {

/// From now on Ctrl-C (and a request to terminate or a closed terminal) removes the files that are not written completely
/// yet (tensor/whole_file.hpp), resets the terminal's colours, and ends the program at once. Call it once, at the start;
/// `run` does. A signal that was ignored when the program started, as under nohup, stays ignored.
void end_cleanly_when_interrupted();

}  // namespace attend::lesson
