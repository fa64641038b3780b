"""Host arrays beside NumPy's own."""

import unittest

import numpy as np

import array_interface
from other_process import OtherProcess

DTYPES = ["?", "i1", "u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16"]
SHAPES = [(), (0,), (1,), (5,), (2, 3), (3, 0), (0, 2, 4), (1, 2, 1, 3), (1,) * 64]
RECORDS = [
    [("a", "<i2"), ("b", ">f4", (2,))],
    [("a", "u1"), ("r", [("x", "<M8[s]"), ("y", "S3", 2)])],
    np.dtype([("a", "u1"), ("b", "<f8")], align=True),
]


class ByInterface:
    """An array of which NumPy sees nothing but its interface."""

    def __init__(self, array, **changes):
        self.kept = array
        self.__array_interface__ = {**array.__array_interface__, **changes}


def facts(view):
    code = view.format.replace("q", "l").replace("Q", "L")  # the same integers here
    return code, view.shape, view.strides, view.itemsize, view.readonly, view.tobytes()


class BesideNumPy(unittest.TestCase):
    def test_memoryviews_are_those_of_numpy(self):
        for dtype in DTYPES:
            for shape in SHAPES:
                with self.subTest(dtype, shape=shape):
                    array = array_interface.empty(shape, dtype)
                    array.numpy()[...] = np.arange(array.numpy().size).reshape(shape)
                    theirs = memoryview(np.asarray(ByInterface(array)))
                    self.assertEqual(facts(memoryview(array)), facts(theirs))
                    self.assertEqual(facts(array.buffer()), facts(theirs))

    def test_strides_of_axes_of_length_1_and_0_are_kept(self):
        memory = array_interface.empty(24, "<i4")
        with OtherProcess() as other:
            for shape, strides in (((1, 3), (99, 4)), ((3, 1), (4, -8)), ((1,), (40,)), ((0, 3), (7, -7)), ((2, 0), (0, 4))):
                ticket = array_interface.share(ByInterface(memory, shape=shape, strides=strides))
                code = "array = array_interface.open_host_ticket(value)\nanswer = array.numpy().strides"
                self.assertEqual(other.run(code, ticket), list(strides))
                other.run("del array")

    def test_they_are_in_place(self):
        for dtype in DTYPES:
            array = array_interface.empty((2, 3), dtype)
            for view in (np.asarray(memoryview(array)), np.from_dlpack(array), array.numpy()):
                array.numpy()[...] = 0
                view[1, 2] = 1
                self.assertEqual(np.flatnonzero(array.numpy()).tolist(), [5])
                self.assertEqual(view.ctypes.data, array.__array_interface__["data"][0])

    def test_dlpack(self):
        for dtype in DTYPES:
            for shape in SHAPES:
                with self.subTest(dtype, shape=shape):
                    array = array_interface.empty(shape, dtype)
                    found = np.from_dlpack(array)
                    self.assertEqual((found.dtype, found.shape), (array.dtype, shape))
        copy = np.from_dlpack(array_interface.empty(2), copy=True)
        copy[0] = 1  # it is no view
        with self.assertRaises(BufferError):
            np.from_dlpack(array_interface.empty(2, "<M8[s]"))

    def test_what_another_process_shares_read_only(self):
        with OtherProcess() as other:
            ticket = other.run(
                "import numpy\narray = array_interface.empty(3, '<c8')\nview = array.numpy()\n"
                "view.flags.writeable = False\nticket = array_interface.share(view)\nanswer = dict(ticket)"
            )
            array = array_interface.open_host_ticket(ticket)
            self.assertFalse(np.from_dlpack(array).flags.writeable)
            self.assertTrue(memoryview(array).readonly)
            other.run("del ticket")

    def test_dtypes(self):
        for dtype in [*DTYPES, ">i4", "<U3", "S0", "<m8[25us]", *RECORDS]:
            array = array_interface.empty(2, np.dtype(dtype))
            self.assertEqual(array.dtype, array.numpy().dtype)
            self.assertEqual(array_interface.empty(1, array.dtype).dtype, array.dtype)


if __name__ == "__main__":
    unittest.main()
