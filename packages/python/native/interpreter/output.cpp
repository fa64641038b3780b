#include "interpreter/output.hpp"

#include "interpreter/own_code.hpp"

namespace array_interface {

namespace {

/// Python's stream of a pipe would keep 8 KB, and lose it with a signal. Node makes a pipe one that
/// does not block, for which Python's own streams raise an error once it is full.
constexpr const char* kCode = R"(
import io, select, sys

class Whole(io.FileIO):
    def write(self, data):
        data = memoryview(data).cast('B')
        done = 0
        while done < len(data):
            count = super().write(data[done:])
            if count is None: select.select([], [self], [])
            else: done += count
        return done

def renew(name, fd):
    old = getattr(sys, name)
    if old is None or old.isatty(): return
    whole = Whole(fd, 'w', closefd=False)
    whole.name = f'<{name}>'
    new = io.TextIOWrapper(whole, old.encoding, old.errors, write_through=True)
    new.mode = 'w'
    setattr(sys, name, new)
    setattr(sys, f'__{name}__', new)

def write_through():
    renew('stdout', 1)
    renew('stderr', 2)
)";

}  // namespace

void WriteThrough() {
  const Reference write_through = OwnCode(kCode, "write_through");
  const Reference done =
      Reference::Take(write_through ? Py().PyObject_CallNoArgs(write_through.get()) : nullptr);
  if (!done) Py().PyErr_Clear();
}

}  // namespace array_interface
