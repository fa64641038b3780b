"""The file of a ticket of @array-interface/cuda, which its sharer and its openers hold and lock, as
docs/synchronisation.md says."""

import contextlib
import fcntl
import hashlib
import json
import os
import struct

TURN_BYTE = 1 << 30


class Lease:
    """Held by an opener of a ticket, until it is closed."""

    def __init__(self, ticket):
        self.file = os.open(ticket["lease"], os.O_RDWR)
        fcntl.flock(self.file, fcntl.LOCK_SH)
        text = os.read(self.file, 1 << 26).decode()
        assert text.startswith(ticket["nonce"]) and ticket["digest"] in text

    @contextlib.contextmanager
    def turn(self):
        """Nobody else waits for the ticket's events, and records them anew, meanwhile."""
        # flock64: type, whence, start, length, process
        lock = lambda kind: struct.pack("hhqqi", kind, os.SEEK_SET, TURN_BYTE, 1, 0)
        fcntl.fcntl(self.file, fcntl.F_OFD_SETLKW, lock(fcntl.F_WRLCK))
        yield
        fcntl.fcntl(self.file, fcntl.F_OFD_SETLKW, lock(fcntl.F_UNLCK))

    def close(self):
        os.close(self.file)


def make_ticket(**fields):
    """A ticket with these fields, and with a lease that lasts as long as this process."""
    lease = os.memfd_create("array-interface lease", os.MFD_CLOEXEC)
    ticket = {
        "kind": "array-interface/cuda",
        "version": 1,
        "lease": f"/proc/{os.getpid()}/fd/{lease}",
        "nonce": os.urandom(16).hex(),
        **fields,
    }
    text = json.dumps(list(ticket.values()), separators=(",", ":"))
    ticket["digest"] = hashlib.sha256(text.encode()).hexdigest()
    os.write(lease, (ticket["nonce"] + ticket["digest"]).encode())
    return ticket
