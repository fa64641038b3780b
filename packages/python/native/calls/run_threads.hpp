#pragma once

#include <memory>
#include <string>

namespace array_interface {

class Run;

/// Has a thread of the process's pool do the work of a run, once one is free. Throws
/// std::system_error if there is none, and none can be started.
void RunOnPool(std::shared_ptr<Run> run);

/// The same on the thread of this name, which runs one at a time, and lives as long as the process.
void RunOnNamed(const std::string& name, std::shared_ptr<Run> run);

}  // namespace array_interface
