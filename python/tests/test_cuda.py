"""Device arrays between two Pythons. Runs where Numba and a CUDA driver are, such as the simulator."""

import gc
import unittest
import weakref

import array_interface
import numpy as np
from array_interface import TicketError
from numba import cuda
from other_process import OtherProcess

OPEN = """
import numpy as np
from numba import cuda
array = array_interface.open_ticket(value)
view = cuda.as_cuda_array(array)
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

    def test_refusals(self):
        array = device_array()
        other = self.other
        with array_interface.share(array) as ticket:
            self.assertRaisesRegex(TicketError, "own process", array_interface.open_ticket, dict(ticket))
            for name, value in (("digest", "0" * 64), ("memory", "f" * 128), ("shape", [5]), ("nonce", "f" * 32)):
                self.assertEqual(other.refusal(OPEN, {**ticket, name: value})[0], "TicketError")
            other.run(OPEN, ticket)
            self.assertIn("pass on", other.refusal("array_interface.share(array)")[1])
            other.run(RELEASE)
        self.assertEqual(array_interface.collect(), 0)
        self.assertIn("stale", other.refusal(OPEN, ticket)[1])
        self.assertRaisesRegex(TicketError, "mask", array_interface.share, View(array, mask=array))
        self.assertRaisesRegex(TicketError, "driver", array_interface.share, View(array, data=(4096, False)))
        managed = cuda.managed_array(4)
        self.assertRaises(TicketError, array_interface.share, managed)

    def tearDown(self):
        self.assertEqual(array_interface.collect(), 0)


if __name__ == "__main__":
    unittest.main()
