"""Device arrays between two Pythons. Runs where Numba and a CUDA driver are, such as the simulator."""

import gc
import os
import threading
import time
import unittest
import weakref
from unittest import mock

import array_interface
import numpy as np
from array_interface import CudaError, TicketError, _cuda
from array_interface._driver import driver
from array_interface._lease import Lease
from numba import cuda
from other_process import OtherProcess

OPEN = """
import numpy as np
from numba import cuda
array = array_interface.open_ticket(value)
view = cuda.as_cuda_array(array)
"""
#: Opens while one function of the driver fails, and counts what is opened, made and given back.
FAIL = """
import contextlib
from unittest import mock
from array_interface._driver import driver
NAMES = ("open_memory", "close_memory", "open_event", "destroy_event", "make_stream", "destroy_stream")
def fail(name, after):
    answers = [mock.DEFAULT] * after + [array_interface.CudaError("planned")]
    with contextlib.ExitStack() as stack:
        patch = lambda name, **more: stack.enter_context(
            mock.patch.object(driver(), name, wraps=getattr(driver(), name), **more)
        )
        counted = {other: patch(other) for other in NAMES if other != name}
        counted[name] = patch(name, side_effect=answers)
        try:
            array_interface.open_ticket(value)
        except array_interface.CudaError as error:
            counts = [counted[name].call_count for name in NAMES]
            return str(error), counts
"""
#: Opens and closes, and says what was given back in which order.
CLOSE = """
import contextlib
from unittest import mock
from array_interface._driver import driver
calls = []
def note(name):
    work = getattr(driver(), name)
    return mock.patch.object(driver(), name, side_effect=lambda *given: (calls.append(name), work(*given))[1])
with contextlib.ExitStack() as stack:
    for name in ("synchronize", "destroy_stream", "destroy_event", "close_memory"):
        stack.enter_context(note(name))
    array_interface.open_ticket(value).close()
answer = calls
"""
READ = "answer = view.copy_to_host().tolist()"
RELEASE = "del view\narray.close()\ndel array"


def device_array(count=6):
    array = cuda.to_device(np.arange(count, dtype="f4"))
    cuda.synchronize()
    return array


class View:
    """A view of an array, as a library would make it."""

    def __init__(self, array, **changes):
        self.kept = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **changes}


class CudaArrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.other = OtherProcess().__enter__()
        cls.addClassCleanup(cls.other.kill)

    def test_both_read_and_write_in_place(self):
        array = device_array()
        other = self.other
        with array_interface.share(array) as ticket:
            self.assertEqual(other.run(OPEN + READ, ticket), [0, 1, 2, 3, 4, 5])
            other.run("view.copy_to_device(np.full(6, 7, 'f4'))\narray.record()")
            ticket.wait(1)
            self.assertEqual(array.copy_to_host().tolist(), [7] * 6)
            other.run(RELEASE)

    def test_a_with_block_is_enough_for_the_order(self):
        array = device_array()
        other = self.other
        with array_interface.share(array) as ticket:
            other.run(
                "import numpy as np\nfrom numba import cuda\n"
                "with array_interface.open_ticket(value) as array:\n"
                "    stream = cuda.external_stream(array.stream)\n"
                "    view = cuda.as_cuda_array(array)\n"
                "    view.copy_to_device(np.full(6, 9, 'f4'), stream=stream)\n",
                ticket,
            )
            ticket.wait(1)
            self.assertEqual(array.copy_to_host().tolist(), [9] * 6)
            other.run(RELEASE)

    def test_records_of_numpy(self):
        code = "found = array_interface.open_ticket(value).numpy()\nanswer = [found.dtype.itemsize, found.strides]"
        for fields in ([("a", "<i2"), ("b", ">f4", (2,))], [("a", "u1"), ("r", [("x", "<M8[s]"), ("y", "S3", 2)])], []):
            for align in (False, True):
                dtype = np.dtype(fields, align=align)
                with array_interface.share(array_interface.empty(2, dtype).numpy()[::-1]) as ticket:
                    self.assertEqual(self.other.run(code, ticket), [dtype.itemsize, [-dtype.itemsize]])
        for dtype in ([("a", "O"), ("b", ">i4", (2,))], "O", [("a", [("b", "O", (2,))])]):
            self.assertRaises(TicketError, array_interface.empty, 2, np.dtype(dtype))

    def test_a_view_of_any_layout(self):
        array = device_array()
        start = array.__cuda_array_interface__["data"][0]
        view = View(array, shape=(3,), strides=(-8,), data=(start + 20, True))
        code = OPEN + "answer = [array.shape, array.strides, array.typestr, array.read_only]"
        with array_interface.share(view) as ticket:
            self.assertEqual(self.other.run(code, ticket), [[3], [-8], "<f4", True])
            self.other.run(RELEASE)

    def test_the_array_is_kept_until_openers_have_left(self):
        for how in (lambda other: other.run(RELEASE), OtherProcess.kill):
            array = device_array()
            gone = []
            with OtherProcess() as other:
                kept = View(array)
                ticket = array_interface.share(kept)
                again = array_interface.share(kept)
                self.assertEqual(again, ticket)
                weakref.finalize(kept, gone.append, True)
                del kept
                other.run(OPEN, ticket)
                ticket.close()
                again.close()
                gc.collect()
                self.assertEqual((array_interface.collect(), gone), (1, []))
                self.assertRaises(ValueError, ticket.wait, 1)
                how(other)
                self.assertEqual((array_interface.collect(), gone), (0, [True]))

    def test_the_last_close_lets_go_without_being_asked(self):
        array = View(device_array())
        gone = []
        weakref.finalize(array, gone.append, True)
        tickets = [array_interface.share(array) for _ in range(2)]
        del array
        for ticket in tickets:
            self.assertEqual(gone, [])
            ticket.close()
        self.assertEqual(gone, [True])

    def test_a_ticket_that_nothing_refers_to_lets_go(self):
        device_array()  # whatever the driver opens at first use
        array_interface.share(device_array()).close()
        before = sorted(os.listdir("/proc/self/fd"))
        array = View(device_array())
        gone = []
        weakref.finalize(array, gone.append, True)
        ticket = array_interface.share(array)
        another = array_interface.share(array)
        ticket["itself"] = ticket
        del array, ticket
        gc.collect()
        self.assertEqual(gone, [])
        del another
        self.assertEqual(gone, [True])
        self.assertEqual(sorted(os.listdir("/proc/self/fd")), before)

    def test_a_fork_ends_no_tickets(self):
        ticket = array_interface.share(device_array())
        fields = dict(ticket)
        child = os.fork()
        if child == 0:
            del ticket
            gc.collect()
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0), (child, 0))
        self.assertEqual(self.other.run(OPEN + READ, fields), [0, 1, 2, 3, 4, 5])
        self.other.run(RELEASE)
        ticket.close()

    def test_a_ticket_that_is_collected_while_another_is_made(self):
        """Python may collect at any moment; here it does at the worst one."""
        array = device_array()
        kept = array_interface.share(array)
        kept["itself"] = kept
        del kept
        keep = _cuda._Sharer.keep

        def collecting(sharer, owner):
            gc.collect()
            keep(sharer, owner)

        with mock.patch.object(_cuda._Sharer, "keep", collecting):
            ticket = array_interface.share(array)
        self.assertEqual(self.other.run(OPEN + READ, ticket), [0, 1, 2, 3, 4, 5])
        self.other.run(RELEASE)
        ticket.close()

    def test_a_file_that_was_open_when_its_lease_ended_says_nothing(self):
        lease = Lease()
        lease.admit("digest")
        file = os.open(lease.path, os.O_RDWR)
        self.addCleanup(os.close, file)
        self.assertEqual(os.pread(file, 100, 0).decode(), lease.nonce + "digest")
        self.assertTrue(lease.try_end())
        self.assertEqual(os.pread(file, 100, 0), b"")

    def test_each_ticket_keeps_its_array(self):
        array = device_array()
        gone = []
        start, _ = array.__cuda_array_interface__["data"]
        parts = [View(array, shape=(1,), data=(start + offset, False)) for offset in (0, 4)]
        for part in parts:
            weakref.finalize(part, gone.append, True)
        tickets = [array_interface.share(part) for part in parts]
        del parts, part
        self.other.run(OPEN, tickets[1])
        for ticket in tickets:
            ticket.close()
        gc.collect()
        self.assertEqual(gone, [])
        self.other.run(RELEASE)
        self.assertEqual((array_interface.collect(), gone), (0, [True, True]))

    def test_a_thread_without_a_context(self):
        array = View(device_array())
        tickets = []
        thread = threading.Thread(target=lambda: tickets.append(array_interface.share(array)))
        thread.start()
        thread.join()
        self.assertEqual(self.other.run(OPEN + READ, tickets[0]), [0, 1, 2, 3, 4, 5])
        self.other.run(RELEASE)
        tickets[0].close()

    def test_threads_record_one_after_the_other(self):
        calls = []

        def wait(stream, event):
            calls.append("wait")
            time.sleep(0.02)

        with array_interface.share(device_array()) as ticket:
            threads = [threading.Thread(target=ticket.record, args=(1,)) for _ in range(4)]
            with (
                mock.patch.object(driver(), "wait", wait),
                mock.patch.object(driver(), "record", lambda event, stream: calls.append("record")),
            ):
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        self.assertEqual(calls, ["wait", "record"] * 4)

    def test_memory_is_closed_after_all_that_the_device_has_to_do(self):
        with array_interface.share(device_array()) as ticket:
            found = self.other.run(CLOSE, ticket)
        self.assertEqual(found, ["synchronize", "destroy_stream", "destroy_event", "destroy_event", "close_memory"])

    def test_nothing_is_left_where_the_driver_fails(self):
        array = device_array()
        with array_interface.share(array) as ticket:
            self.other.run(FAIL)
            for name, after, counts in (
                ("open_event", 1, [1, 1, 2, 1, 0, 0]),
                ("make_stream", 0, [1, 1, 2, 2, 1, 0]),
                ("wait", 1, [1, 1, 2, 2, 1, 1]),
            ):
                with self.subTest(name):
                    found = self.other.run(f"answer = fail({name!r}, {after})", ticket)
                    self.assertEqual(found, ["planned", counts])
        self.assertEqual(array_interface.collect(), 0)
        for name in ("make_event", "record", "event_handle"):
            before = sorted(os.listdir("/proc/self/fd"))
            with (
                self.subTest(sharer=name),
                mock.patch.object(driver(), name, side_effect=CudaError("planned")),
                self.assertRaisesRegex(CudaError, "planned"),
            ):
                array_interface.share(array)
            self.assertEqual(sorted(os.listdir("/proc/self/fd")), before)

    def test_refusals(self):
        array = device_array()
        other = self.other
        with array_interface.share(array) as ticket:
            self.assertRaisesRegex(TicketError, "one of this process", array_interface.open_ticket, dict(ticket))
            for name, value in (("digest", "0" * 64), ("memory", "f" * 128), ("shape", [5]), ("nonce", "f" * 32)):
                self.assertEqual(other.refusal(OPEN, {**ticket, name: value})[0], "TicketError")
            with other.few_files(0):
                self.assertEqual(other.refusal("array_interface.open_ticket(value)", ticket)[0], "OSError")
            other.run(OPEN, ticket)
            self.assertIn("pass on", other.refusal("array_interface.share(array)")[1])
            other.run(RELEASE)
        self.assertEqual(array_interface.collect(), 0)
        self.assertIn("stale", other.refusal(OPEN, ticket)[1])
        self.assertRaisesRegex(TicketError, "mask", array_interface.share, View(array, mask=array))
        self.assertRaisesRegex(TicketError, "driver", array_interface.share, View(array, data=(4096, False)))
        without = View(array)
        del without.__cuda_array_interface__["data"]
        self.assertRaisesRegex(TicketError, "data", array_interface.share, without)
        self.assertRaisesRegex(TicketError, "strides", array_interface.share, View(array, strides=(4, 4)))
        managed = cuda.managed_array(4)
        self.assertRaises(TicketError, array_interface.share, managed)

    def tearDown(self):
        self.assertEqual(array_interface.collect(), 0)


if __name__ == "__main__":
    unittest.main()
