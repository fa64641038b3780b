"""Every call of the system that something makes fails once: what it opened is closed, and it works again."""

import builtins
import contextlib
import errno
import fcntl
import mmap
import os
import unittest
from unittest import mock

import array_interface
from array_interface import _lease, _memory_file, _ticket_file
from array_interface._lease import Lease, LeaseLock

#: What our code calls the system by. `os.close` is left out: what it cannot close, nobody can.
CALLS = [
    (builtins, ["open"]),
    (os, ["fstat", "memfd_create", "open", "pread", "pwrite", "readlink", "truncate", "urandom", "write"]),
    (fcntl, ["fcntl", "flock"]),
    (mmap, ["mmap"]),
]
FAILURES = [OSError(errno.EIO, "on purpose"), OSError(errno.EMFILE, "on purpose"), MemoryError(), KeyboardInterrupt()]
DIGEST = "d" * 64


def open_files():
    return sorted(os.listdir("/proc/self/fd"))


class Steps:
    """Counts the calls of the system, and fails one of them."""

    def __init__(self, failing, failure):
        self.count = 0
        self._failing = failing
        self._failure = failure

    @contextlib.contextmanager
    def counted(self):
        with contextlib.ExitStack() as stack:
            for module, names in CALLS:
                for name in names:
                    stack.enter_context(mock.patch.object(module, name, self._step(getattr(module, name))))
            yield

    def _step(self, call):
        def step(*args, **options):
            self.count += 1
            if self.count == self._failing:
                raise self._failure
            return call(*args, **options)

        return step


def a_lease():
    lease = Lease()
    try:
        has_ended = lease.try_end()
    except BaseException:  # it is still there, and may end later
        lease.try_end()
        raise
    if not has_ended:
        lease.try_end()


def a_lock(lease):
    ticket = {"lease": lease.path, "nonce": lease.nonce, "digest": DIGEST}
    lock = LeaseLock(ticket)
    try:
        with lock.turn():
            pass
    finally:
        lock.leave()


def memory():
    array_interface.empty(4, "<i4").close()


def opened(made):
    _memory_file.open_file(made.path, None).close()


class EveryStep(unittest.TestCase):
    def setUp(self):
        self.lease = Lease()
        self.lease.admit(DIGEST)
        self.addCleanup(self.lease.try_end)

    def fails_at_each(self, work):
        """Does work until none of its calls is left to fail."""
        work()
        for failure in FAILURES:
            with self.subTest(failure=failure):
                self.assertGreater(self.steps_of(work, failure), 0)

    def steps_of(self, work, failure):
        for failing in range(1, 200):
            before = open_files()
            steps = Steps(failing, failure)
            _ticket_file._place_of_memory.cache_clear()
            with contextlib.suppress(Exception, KeyboardInterrupt), steps.counted():
                work()
            self.assertEqual(open_files(), before, f"files that stay open when call {failing} fails with {failure!r}")
            work()
            if steps.count < failing:
                return failing - 1
        self.fail("expected fewer calls of the system")

    def test_a_lease(self):
        self.fails_at_each(a_lease)

    def test_an_opener_s_lock(self):
        self.fails_at_each(lambda: a_lock(self.lease))

    def test_a_lease_that_is_refused(self):
        for change in ({"nonce": "0" * 32}, {"digest": "e" * 64}):
            ticket = {"lease": self.lease.path, "nonce": self.lease.nonce, "digest": DIGEST, **change}

            def refused(ticket=ticket):
                with contextlib.suppress(array_interface.TicketError):
                    LeaseLock(ticket)

            self.fails_at_each(refused)

    def test_new_memory(self):
        self.fails_at_each(memory)

    def test_another_s_memory(self):
        made = _memory_file.make(64)
        self.fails_at_each(lambda: opened(made))

    def test_the_file_of_a_ticket(self):
        path, name = self.lease.path, _lease.NAME
        self.fails_at_each(lambda: os.close(_ticket_file.open_file(path, name, "a file", None)))


if __name__ == "__main__":
    unittest.main()
