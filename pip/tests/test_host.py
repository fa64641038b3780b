"""Host arrays between two Pythons, without NumPy."""

import ctypes
import fcntl
import gc
import json
import os
import pickle
import reprlib
import sys
import threading
import types
import unittest

import array_interface
from array_interface import TicketError, _host
from array_interface._layout import Layout
from other_process import OtherProcess

OPEN = "array = array_interface.open_ticket(value)"
#: Fields that no record of four bytes has: not as many bytes, and what nobody can read.
NO_FIELDS = [
    [["a", "<i2"]],
    [["a", "<i8"]],
    [["a", "<i4", [2]]],
    [["a", "|O4"]],
    [["a", "<f3"]],
    [["a", [["b", "|O4"]]]],
    [["a", "<i4", 1]],
    [["a", "<i4", [-1]]],
    [["a", "<i4", [1.0]]],
    [["a", "<i4", ["1"]]],
    [["a", "<i4", [1], [1]]],
    [["a"]],
    [[]],
    [["a", 4]],
    [["a", None]],
    [[1, "<i4"]],
    [[["title"], "<i4"]],
    [[["title", 1], "<i4"]],
    [["a", "<i2"], ["a", "<i2"]],
    [["a", "<i2"], [["a", "b"], "<i2"]],
    ["ab"],
    [{"a": "<i4"}],
    [None],
]


class View:
    """A view of an array, as NumPy would make it."""

    def __init__(self, array, **changes):
        self.kept = array
        self.__array_interface__ = {**array.__array_interface__, **changes}


def filled(count=6):
    array = array_interface.empty(count, "<i4")
    array.buffer()[:] = memoryview(bytes(range(4 * count))).cast("i") if count else b""
    return array


def record(**changes):
    """A view whose elements are records of four bytes."""
    return View(filled(), typestr="|V4", **changes)


def nested(depth):
    kind = "<i4"
    for _ in range(depth):
        kind = [["a", kind]]
    return kind


def forged(ticket, **changes):
    """A ticket as its own sharer could make it."""
    fields = {**ticket, **changes}
    return {**fields, "digest": _host._digest(ticket._memory, fields)}


def open_files():
    return sorted(os.listdir("/proc/self/fd"))


class HostArrays(unittest.TestCase):
    def test_both_read_and_write_in_place(self):
        array = array_interface.empty((2, 3), "<f4")
        view = array.buffer()
        view[1, 2] = 5
        with OtherProcess() as other:
            ticket = array_interface.share(array)
            self.assertEqual(
                other.run(f"{OPEN}\nanswer = array.buffer().tolist()", ticket), [[0, 0, 0], [0, 0, 5]]
            )
            other.run("array.buffer()[0, 0] = 7")
        self.assertEqual(view[0, 0], 7)

    def test_a_view_of_any_layout_keeps_it(self):
        array = filled()
        start = array.__array_interface__["data"][0]
        changes = {"shape": (2, 2), "strides": (-8, 0), "data": (start + 16, True)}
        ticket = array_interface.share(View(array, **changes))
        with OtherProcess() as other:
            found = other.run(
                f"{OPEN}\nanswer = [array.shape, array.strides, array.typestr, array.read_only, repr(array)]", ticket
            )
            self.assertEqual(found, [[2, 2], [-8, 0], "<i4", True, "HostArray(shape=(2, 2), typestr='<i4')"])
            self.assertEqual(other.refusal("array.buffer()")[0], "BufferError")

    def test_arrays_without_axes_or_elements(self):
        with OtherProcess() as other:
            for shape in ((), (0,), (3, 0), 1):
                array = array_interface.empty(shape, "<i2")
                self.assertEqual(
                    other.run(f"{OPEN}\nanswer = array.shape", array_interface.share(array)), list(array.shape)
                )
            beyond = View(filled(), shape=(0, 2), strides=(8, 4), data=(4096, False))
            self.assertEqual(other.run(f"{OPEN}\nanswer = array.shape", array_interface.share(beyond)), [0, 2])

    def test_a_ticket_is_small_and_plain(self):
        ticket = array_interface.share(filled())
        self.assertEqual(json.loads(json.dumps(ticket)), ticket)
        self.assertLess(len(json.dumps(ticket)), 512)
        self.assertIs(type(pickle.loads(pickle.dumps(ticket))), dict)

    def test_read_only_arrays_give_read_only_buffers(self):
        array = filled()
        pointer, _ = array.__array_interface__["data"]
        with OtherProcess() as other:
            code = f"{OPEN}\nanswer = array.buffer().readonly"
            self.assertFalse(other.run(code, array_interface.share(array)))
            self.assertTrue(other.run(code, array_interface.share(View(array, data=(pointer, True)))))

    def test_memoryviews(self):
        for shape in (6, (2, 3), (), (1, 1, 4)):
            array = array_interface.empty(shape, "<i4")
            view = memoryview(array)
            self.assertEqual((view.format, view.shape, view.readonly), ("i", array.shape, False))
            ctypes.c_int.from_address(array.__array_interface__["data"][0]).value = 7
            self.assertEqual(view.cast("B").cast("i")[0], 7)
            self.assertEqual(bytes(array), view.tobytes())
        self.assertEqual(memoryview(array_interface.empty(0, "<f8")).tolist(), [])

    def test_a_memoryview_keeps_the_memory(self):
        before = open_files()
        view = memoryview(filled(1))
        gc.collect()
        self.assertEqual(view.tolist(), [0x03020100])
        view.release()
        gc.collect()
        self.assertEqual(open_files(), before)

    def test_what_is_no_buffer(self):
        array = filled()
        closed = filled()
        closed.close()
        start, _ = array.__array_interface__["data"]
        with OtherProcess() as other:
            strided = View(array, shape=(3,), strides=(8,))
            other.run(f"import sys\n{OPEN}", array_interface.share(strided))
            self.assertEqual(other.refusal("array.buffer()")[0], "BufferError")
            # Python before 3.12 has no way to say why.
            expected = "BufferError" if sys.version_info >= (3, 12) else "SystemError"
            self.assertEqual(other.refusal("memoryview(array)")[0], expected)
            read_only = View(array, data=(start, True))
            other.run(f"{OPEN}\nimport io", array_interface.share(read_only))
            self.assertTrue(other.run("answer = memoryview(array).readonly"))
            self.assertEqual(other.refusal("io.BytesIO(b'abcd').readinto(array)")[0], "TypeError")
        self.assertRaises(ValueError if sys.version_info >= (3, 12) else SystemError, memoryview, closed)
        for dtype in (">i4", "<U2", "<M8[s]"):
            self.assertRaises(BufferError, array_interface.empty(2, dtype).buffer)

    def test_memoryviews_without_numpy(self):
        with OtherProcess() as other:
            other.run("import sys\nsys.modules['numpy'] = None")
            for arguments in ("2, '<c8'", "(0, 3), '<f4'"):
                name, message = other.refusal(f"array_interface.empty({arguments}).buffer()")
                self.assertEqual(name, "BufferError")
                self.assertIn("expected NumPy", message)
            for call in ("numpy()", "__dlpack__()", "dtype"):
                self.assertEqual(other.refusal(f"array_interface.empty(2).{call}")[0], "ModuleNotFoundError")
            self.assertEqual(other.run("answer = len(memoryview(array_interface.empty(0)))"), 0)

    def test_length(self):
        self.assertEqual([len(array_interface.empty(shape)) for shape in (3, (2, 5), (0, 4), 0)], [3, 2, 0, 0])
        self.assertRaisesRegex(TypeError, "an array with an axis", len, array_interface.empty(()))

    def test_a_place_for_dlpack(self):
        self.assertEqual(filled().__dlpack_device__(), (1, 0))


class Lifetimes(unittest.TestCase):
    def test_openers_keep_the_memory(self):
        with OtherProcess() as sharer:
            ticket = sharer.run(
                "array = array_interface.empty(3, '|u1')\narray.buffer()[:] = b'abc'\n"
                "ticket = array_interface.share(array)\nanswer = dict(ticket)"
            )
            array = array_interface.open_ticket(ticket)
            again = array_interface.open_ticket(ticket)
            self.assertEqual(array.__array_interface__["data"], again.__array_interface__["data"])
        self.assertEqual(bytes(array.buffer()), b"abc")
        self.assertRaisesRegex(TicketError, "stale", array_interface.open_ticket, ticket)

    def test_a_ticket_keeps_it_until_it_is_closed(self):
        with OtherProcess() as other:
            before = open_files()
            ticket = array_interface.share(filled())
            gc.collect()
            self.assertEqual(other.run(f"{OPEN}\nanswer = array.buffer()[0]", ticket), 0x03020100)
            ticket.close()
            ticket.close()
            self.assertEqual(open_files(), before)
            self.assertEqual(other.run("answer = array.buffer()[0]"), 0x03020100)
            self.assertIn("stale", other.refusal(OPEN, ticket)[1])

    def test_a_ticket_that_nothing_refers_to_gives_its_files_back(self):
        before = open_files()
        ticket = array_interface.share(filled())
        stale = dict(ticket)
        ticket["itself"] = ticket
        for _ in range(20):
            array_interface.share(array_interface.empty(10))
        del ticket
        gc.collect()
        self.assertEqual(open_files(), before)
        with OtherProcess() as other:
            self.assertIn("stale", other.refusal(OPEN, stale)[1])

    def test_what_was_made_of_an_array_keeps_it(self):
        with array_interface.empty(4, "|u1") as array:
            address, _ = array.__array_interface__["data"]
        ctypes.c_ubyte.from_address(address).value = 3  # as NumPy would, which keeps `array`
        with array_interface.empty(4, "|u1") as other:
            view = other.buffer()
        view[0] = 4
        self.assertEqual((ctypes.c_ubyte.from_address(address).value, view[0]), (3, 4))
        self.assertRaises(ValueError, array.buffer)
        self.assertRaises(ValueError, lambda: array.__array_interface__)

    def test_nothing_is_left_open(self):
        before = open_files()
        for _ in range(50):
            array_interface.empty(10).close()
            with array_interface.share(array_interface.empty(10)):
                pass
        self.assertEqual(open_files(), before)
        self.assertRaises(MemoryError, array_interface.empty, 2**50)
        self.assertRaises(MemoryError, array_interface.empty, 2**70)
        self.assertEqual(open_files(), before)


class Refusals(unittest.TestCase):
    def test_altered_in_any_field(self):
        ticket = array_interface.share(filled())
        changes = {
            "kind": "array-interface/sycl",
            "version": 2,
            "lease": ticket["lease"].rsplit("/", 1)[0] + "/0",
            "nonce": "f" * 32,
            "byteLength": 1 << 20,
            "offset": 4,
            "shape": [5],
            "byteStrides": [-4],
            "typestr": "<f4",
            "descr": [["x", "<i4"]],
            "readOnly": True,
            "digest": "0" * 64,
        }
        self.assertEqual(list(changes), list(ticket))
        with OtherProcess() as other:
            for name, value in changes.items():
                with self.subTest(name):
                    self.assertEqual(other.refusal(OPEN, {**ticket, name: value})[0], "TicketError")
            for name in ticket:
                with self.subTest(missing=name):
                    fewer = {key: value for key, value in ticket.items() if key != name}
                    self.assertEqual(other.refusal(OPEN, fewer)[0], "TicketError")
            for value in (None, "x", 7, [], {}, {**ticket, "lease": "/etc/passwd"}, {**ticket, "offset": 0.0}):
                self.assertEqual(other.refusal(OPEN, value)[0], "TicketError")
            other.run(OPEN, ticket)

    def test_strides_of_axes_of_length_1_say_nothing(self):
        for shape, strides, is_contiguous in (
            ((2, 3), (12, 4), True),
            ((2, 3), (16, 4), False),
            ((1, 3), (99, 4), True),
            ((3, 1), (4, -8), True),
            ((1, 1), (0, 0), True),
            ((3,), (-4,), False),
            ((0, 3), (7, 7), True),
            ((), (), True),
        ):
            with self.subTest(shape=shape, strides=strides):
                interface = {"shape": shape, "typestr": "<f4", "data": (64, False), "strides": strides, "version": 3}
                self.assertEqual(Layout.of_interface(interface).is_contiguous, is_contiguous)

    def test_of_another_kind(self):
        ticket = array_interface.share(filled())
        other_kind = {**ticket, "kind": "array-interface/cuda"}
        with OtherProcess() as other:
            self.assertEqual(
                other.run("answer = array_interface.open_host_ticket(value).shape", ticket), [6]
            )
            for function, value, what in (
                ("open_host_ticket", other_kind, "a ticket of host memory, got 'array-interface/cuda'; open a"),
                ("open_cuda_ticket", ticket, "a ticket of CUDA memory, got 'array-interface/host'; open a"),
                ("open_ticket", {**ticket, "kind": "x"}, "a ticket of host or CUDA memory, got 'x'"),
            ):
                name, message = other.refusal(f"array_interface.{function}(value)", value)
                self.assertEqual(name, "TicketError")
                self.assertIn(f"] ticket.kind: expected {what}", message)
            for value in (None, [], 7, {}):
                for function in ("open_host_ticket", "open_cuda_ticket"):
                    self.assertEqual(other.refusal(f"array_interface.{function}(value)", value)[0], "TicketError")

    def test_of_this_process(self):
        ticket = array_interface.share(filled())
        self.assertRaisesRegex(TicketError, "one of this process", array_interface.open_ticket, ticket)
        for digit in range(10):  # of a process whose number begins as this one's
            lease = f"/proc/{os.getpid()}{digit}/fd/3"
            with self.assertRaises(TicketError) as caught:
                array_interface.open_ticket({**ticket, "lease": lease})
            self.assertNotIn("one of this process", str(caught.exception))

    def test_of_another_user(self):
        me = os.geteuid()
        ticket = array_interface.share(filled())
        with OtherProcess() as other:
            found = other.refusal(f"array_interface.open_ticket(value, user={me + 1})", ticket)
            self.assertEqual(found[0], "TicketError")
            self.assertIn(f"a process of user {me + 1}, got one made by user {me}; let both", found[1])
            other.run(f"array_interface.open_ticket(value, user={me})", ticket)

    def test_of_a_thread(self):
        ended = threading.Event()
        thread = threading.Thread(target=ended.wait)
        thread.start()
        ticket = array_interface.share(filled())
        lease = ticket["lease"].replace(str(os.getpid()), str(thread.native_id))
        with self.assertRaisesRegex(TicketError, "got the ID of a thread"):
            array_interface.open_ticket({**ticket, "lease": lease})
        ended.set()
        thread.join()

    def test_more_dimensions_than_any_array_has(self):
        memory = filled()
        for rank in (65, 100_000):
            ones = dict(shape=(1,) * rank, strides=(4,) * rank)
            for work in (lambda: array_interface.empty((1,) * rank), lambda: array_interface.share(View(memory, **ones))):
                with self.assertRaisesRegex(TicketError, f"at most 64 dimensions, got {rank}"):
                    work()
        self.assertEqual(array_interface.empty((1,) * 64).shape, (1,) * 64)

    def test_files_that_may_shrink_or_are_others(self):
        ticket = array_interface.share(filled())
        with OtherProcess() as other:
            for name, seals in (("array-interface memory", 0), ("other", fcntl.F_SEAL_SHRINK)):
                file = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
                os.truncate(file, 8192)
                fcntl.fcntl(file, fcntl.F_ADD_SEALS, seals)
                found = other.refusal(OPEN, {**ticket, "lease": f"/proc/{os.getpid()}/fd/{file}"})
                self.assertIn("cannot shrink", found[1])
                os.close(file)

    def test_files_that_may_not_be_written(self):
        ticket = array_interface.share(filled())
        file = os.memfd_create("array-interface memory", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.truncate(file, 8192)
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_WRITE)
        with OtherProcess() as other:
            other.run("import os\nbefore = sorted(os.listdir('/proc/self/fd'))")
            name, message = other.refusal(OPEN, {**ticket, "lease": f"/proc/{os.getpid()}/fd/{file}"})
            self.assertEqual(name, "TicketError")
            self.assertIn("a writable file", message)
            self.assertTrue(other.run("answer = sorted(os.listdir('/proc/self/fd')) == before"))
        os.close(file)

    def test_files_that_no_machine_has_room_for(self):
        ticket = array_interface.share(filled())
        file = os.memfd_create("array-interface memory", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.truncate(file, 1 << 46)  # of holes, which take no room until somebody reads them
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        with OtherProcess() as other:
            found = other.refusal(OPEN, {**ticket, "lease": f"/proc/{os.getpid()}/fd/{file}"})
            self.assertEqual(found[0], "MemoryError")
            other.run(OPEN, ticket)
        os.close(file)

    def test_no_more_files(self):
        ticket = array_interface.share(filled())
        with OtherProcess() as other:
            other.run("import os\nbefore = sorted(os.listdir('/proc/self/fd'))")
            for left in (0, 1):  # the file, and the one that mmap keeps
                for code in (OPEN, "array_interface.empty(3)"):
                    with self.subTest(code, left=left), other.few_files(left):
                        name, message = other.refusal(code, ticket)
                        self.assertEqual(name, "OSError")
                        self.assertIn("Too many open files", message)
            self.assertTrue(other.run("answer = sorted(os.listdir('/proc/self/fd')) == before"))
            other.run(OPEN, ticket)

    def test_a_place_that_was_taken(self):
        first = array_interface.empty(3)
        with array_interface.share(first) as old:
            first.close()
        ticket = array_interface.share(array_interface.empty(3))
        self.assertEqual(ticket["lease"], old["lease"])  # the lowest number that is free
        with OtherProcess() as other:
            self.assertIn("replaced by another", other.refusal(OPEN, old)[1])

    def test_memory_that_is_not_shared(self):
        array = filled()
        elsewhere = View(array, data=(4096, False))
        masked = View(array, mask=array)
        longer = View(array, shape=(7,), strides=(4,))
        for one, why in ((elsewhere, "empty"), (masked, "mask"), (longer, "within"), (b"", "__array_interface__")):
            self.assertRaisesRegex(TicketError, why, array_interface.share, one)
        with OtherProcess() as other:
            found = other.refusal(f"{OPEN}\narray_interface.share(array)", array_interface.share(array))
            self.assertIn("pass on the ticket", found[1])

    def test_interfaces_that_lack_something(self):
        for name, values in {
            "shape": (None, 3, "2", (-1,), (1.5,), ("2",)),
            "strides": (4, (), (4, 4), (4.0,), "4"),
            "data": (None, 5, (1,), ("1", False), (1, False, 2), filled()),
            "typestr": (None, 4, b"<i4", "<f3", "", "|O8"),
        }.items():
            for value in values:
                if name == "strides" or value is not None:
                    with self.subTest(name, value=value), self.assertRaises(TicketError) as caught:
                        array_interface.share(View(filled(), **{name: value}))
                    self.assertEqual(caught.exception.path, name)
            without = View(filled())
            del without.__array_interface__[name]
            if name == "strides":
                array_interface.share(without).close()
                continue
            for array in (without, View(filled(), **{name: None})):
                with self.subTest(missing=name), self.assertRaises(TicketError) as caught:
                    array_interface.share(array)
                self.assertEqual(caught.exception.path, name)
        array_interface.share(View(filled(), strides=None)).close()
        self.assertRaisesRegex(TicketError, "dict", array_interface.share, type(array_interface.empty(1)))

    def test_fields_that_are_none(self):
        endless = [["a", "<i4"]]
        endless.append(["b", endless, [0]])
        endless.append(["c", endless, [0]])
        many = [["", "|V0"]] * (1 << 16) + [["a", "<i4"]]
        for descr in [*NO_FIELDS, nested(34), nested(5000), endless, many, 5, "ab", {"a": 1}]:
            with self.subTest(reprlib.repr(descr)), self.assertRaises(TicketError) as caught:
                array_interface.share(record(descr=descr))
            self.assertEqual(caught.exception.path, "descr")
        with OtherProcess() as other:
            ticket = array_interface.share(record())
            for descr in [*NO_FIELDS, nested(34), many]:
                with self.subTest(ticket=reprlib.repr(descr)):
                    name, message = other.refusal(OPEN, forged(ticket, descr=descr))
                    self.assertEqual(name, "TicketError")
                    self.assertIn("] ticket.descr: ", message)

    def test_fields_as_deep_as_python_can_go(self):
        with OtherProcess() as other:
            ticket = other.run("ticket = array_interface.share(array_interface.empty(3))\nanswer = dict(ticket)")
            for depth in range(50, 1100):
                altered = {**ticket, "descr": nested(depth)}
                self.assertRaises(TicketError, array_interface.open_ticket, altered)

    def test_fields_of_records_and_lists(self):
        descr = [(("title", "a"), [("x", "|u1", (1, 2))]), ("", "|V1"), ("b", "<M8[25s]", (0,)), ("c", "|i1", ())]
        ticket = array_interface.share(record(descr=descr))
        self.assertEqual(
            ticket["descr"],
            [[["title", "a"], [["x", "|u1", [1, 2]]]], ["", "|V1"], ["b", "<M8[25s]", [0]], ["c", "|i1", []]],
        )
        for plain in ([("", "|V4")], [("", "|V2"), ("", "|V2")], None):
            self.assertIsNone(array_interface.share(record(descr=plain))["descr"])
        with OtherProcess() as other:
            found = other.run(f"{OPEN}\nanswer = repr(array.__array_interface__['descr'])", ticket)
            self.assertEqual(found, repr(descr))
            other.run(OPEN, array_interface.share(record(descr=nested(33))))

    def test_what_is_no_element_or_shape(self):
        for dtype in ("<x4", "|O8", "<f4x", 4, "", "<f3", "|b2", "<i16", "<f٤", "<c4", "|S" + "9" * 5000):
            self.assertRaises(TicketError, array_interface.empty, 3, dtype)
        for dtype in ("<M4", "<M8[x]", "<f4[s]", "<m8[9999999999s]", {"names": 1}, "(2,"):
            self.assertRaises(TicketError, array_interface.empty, 3, dtype)
        for dtype in ("<f2", "|S0", "<U3", "<c32", "<M8", "<m8[generic]", ">M8[25us]"):
            array_interface.empty(3, dtype).close()
        objects = types.SimpleNamespace(str="|V16", descr=[("a", "|O"), ("b", ">i4", (2,))])
        self.assertRaisesRegex(TicketError, "dtype.descr", array_interface.empty, 3, objects)
        for shape in ((2, -1), None, "2", b"2", 2.5, (2.5,), {"a": 1}, object()):
            self.assertRaisesRegex(TicketError, "lengths of 0 or more, got", array_interface.empty, shape)


if __name__ == "__main__":
    unittest.main()
