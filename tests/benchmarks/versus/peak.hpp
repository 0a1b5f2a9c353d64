// The memory of one step, measured in a process of its own.
#pragma once
#include <functional>

namespace versus {

/// Runs `prepare` and `warm_up` in a child process, then the step that `prepare` has returned, and tells by how many
/// bytes that has raised the largest resident size of the process. Throws std::runtime_error when there is no child.
double peak_bytes(const std::function<std::function<void()>()>& prepare, const std::function<void()>& warm_up);

}  // namespace versus
