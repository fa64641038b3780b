"""Holds a file open whose file system is this process, under the name of a ticket's file, and answers nothing that is asked
of it: stuck_file.py NAME FOLDER prints its number and waits. The file is descriptor 50. It needs root and /dev/fuse."""

import ctypes
import os
import stat
import struct
import sys
import threading

CLONE_NEWNS, MS_REC, MS_PRIVATE, MNT_DETACH = 0x20000, 0x4000, 0x40000, 2
LOOKUP, GETATTR, INIT = 1, 3, 26
ROOT, FILE = 1, 2
ENOENT, ENOSYS = 2, 38

libc = ctypes.CDLL(None, use_errno=True)
name, folder = (argument.encode() for argument in sys.argv[1:])


def call(function, *arguments):
    if function(*arguments) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def attributes(node, mode):
    return struct.pack("<6Q10I", node, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer(operation, node, body):
    """None: it is never answered."""
    if operation == INIT:
        return struct.pack("<4I2H2I32x", 7, 31, 0, 0, 0, 0, 1 << 16, 1)
    if operation == LOOKUP and body.split(b"\0")[0] == name:
        return struct.pack("<4Q2I", FILE, 0, 0, 0, 0, 0) + attributes(FILE, stat.S_IFREG | 0o600)
    if operation == GETATTR and node == ROOT:
        return struct.pack("<Q2I", 0, 0, 0) + attributes(ROOT, stat.S_IFDIR | 0o755)
    if operation == GETATTR:
        return None
    return -ENOENT if operation == LOOKUP else -ENOSYS


def serve(device):
    while True:
        request = os.read(device, 1 << 20)
        _, operation, unique, node = struct.unpack_from("<2I2Q", request)
        said = answer(operation, node, request[40:])
        if said is not None:
            body, error = (b"", said) if isinstance(said, int) else (said, 0)
            os.write(device, struct.pack("<IiQ", 16 + len(body), error, unique) + body)


call(libc.unshare, CLONE_NEWNS)
call(libc.mount, b"none", b"/", None, MS_REC | MS_PRIVATE, None)
device = os.open("/dev/fuse", os.O_RDWR)
options = b"fd=%d,rootmode=40000,user_id=0,group_id=0" % device
call(libc.mount, b"stuck", folder, b"fuse", 0, options)
threading.Thread(target=serve, args=(device,), daemon=True).start()
os.dup2(os.open(folder + b"/" + name, os.O_PATH), 50)
# From now on the path of the file is its name alone, as that of a file without a folder.
call(libc.umount2, folder, MNT_DETACH)
print(os.getpid(), flush=True)
sys.stdin.read()
