#include "bindings/bindings.hpp"

#include <cerrno>
#include <string>

namespace array_interface::cuda {

Failure ToFailure(const LockError& error) {
  const bool is_held = error.error() == EAGAIN;
  return {"ERR_TICKET",
          "",
          std::string("expected a lock on the ticket's file, which orders work between "
                      "processes, got ") +
              error.what() + "; release other locks on it, or copy the memory",
          is_held ? "EAGAIN" : "",
          is_held ? EAGAIN : 0,
          is_held ? "fcntl" : ""};
}

}  // namespace array_interface::cuda
