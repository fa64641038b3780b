#include "interpreter/inherited_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace array_interface {

// Only these three: other descriptors that Node got from its parent, such as a channel to it, are
// Node's own.
void InheritStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const int flags = fcntl(stream, F_GETFD);
    if (flags != -1) fcntl(stream, F_SETFD, flags & ~FD_CLOEXEC);
  }
}

}  // namespace array_interface
