"""Datatypes of views, beside NumPy's own copies of them. Needs MPI, and no mpiexec."""

import random
import unittest

import numpy as np
from mpi4py import MPI

import halo


def draw(some: random.Random) -> tuple[np.ndarray, np.ndarray]:
    """A contiguous base and a view of it, of any number of axes, turned and with steps; a view of a reshaped base, too."""
    dtype = some.choice(["u1", "<i2", "<f4", "<f8", "<c16"])
    shape = [some.randint(1, 5) for _ in range(some.randint(0, 4))]
    size = int(np.prod(shape))
    base = (np.arange(size) % 251).astype(dtype)
    view = base.reshape(shape)
    if view.ndim == 0:
        return base, view
    steps = [some.choice([-3, -2, -1, 1, 1, 2]) for _ in shape]
    ends = [some.randint(0, 1) for _ in shape]
    view = view[tuple(slice(None, None, step) for step in steps)]
    view = view[tuple(slice(end, None) for end in ends)]
    return base, view.transpose(some.sample(range(view.ndim), view.ndim))


class Messages(unittest.TestCase):
    def test_elements_of_any_view_are_sent_in_order(self):
        seed = random.randrange(1 << 30)
        some = random.Random(seed)
        for number in range(300):
            base, view = draw(some)
            with self.subTest(seed=seed, number=number, shape=view.shape, strides=view.strides):
                got = np.zeros(view.size, view.dtype)
                MPI.COMM_SELF.Sendrecv(halo.message(base, view), 0, 0, got, 0, 0)
                self.assertEqual(got.tolist(), view.ravel().tolist())

    def test_and_received_into_any_view_and_nowhere_else(self):
        seed = random.randrange(1 << 30)
        some = random.Random(seed)
        for number in range(300):
            base, view = draw(some)
            with self.subTest(seed=seed, number=number, shape=view.shape, strides=view.strides):
                sent = (np.arange(view.size) % 101 + 7).astype(view.dtype)
                expected = base.copy()
                flat = expected.reshape(-1)[position(base, view) :]
                if view.size > 0:
                    np.lib.stride_tricks.as_strided(flat, view.shape, view.strides)[...] = sent.reshape(view.shape)
                MPI.COMM_SELF.Sendrecv(sent, 0, 0, halo.message(base, view), 0, 0)
                self.assertEqual(base.tolist(), expected.tolist())

    def test_axes_that_continue_one_another_are_one_block(self):
        base = np.zeros((4, 5, 6), "f4")
        for view, vectors in ((base, 0), (base[:, 1], 1), (base[1:3], 0), (base[:, :, 0], 1), (base[:, 1:3, 2:4], 2)):
            _, _, made = halo.message(base, view)
            self.assertEqual(vectors_in(made), vectors, (view.shape, view.strides))

    def test_a_view_that_is_not_in_its_base(self):
        base = np.zeros((4, 4), "f4")
        for other in (np.zeros(3, "f4"), np.lib.stride_tricks.as_strided(base, (5, 4), (16, 4))):
            with self.assertRaisesRegex(ValueError, "within the 64 bytes"):
                halo.message(base, other)

    def test_elements_that_overlap(self):
        base = np.zeros(16, "f4")
        for shape, strides in (((3, 2), (4, 4)), ((3,), (0,)), ((2, 3), (0, 4)), ((3,), (2,))):
            view = np.lib.stride_tricks.as_strided(base, shape, strides)
            with self.assertRaisesRegex(ValueError, "do not overlap"):
                halo.message(base, view)

    def test_no_device_pointer_reaches_mpi(self):
        class OnDevice:
            __cuda_array_interface__ = {"version": 3, "shape": (3,), "typestr": "<f4", "data": (4096, False)}
            __array_interface__ = __cuda_array_interface__

        with self.assertRaises(TypeError):
            halo.message(OnDevice(), OnDevice())

    def test_bases_that_are_not_contiguous(self):
        base = np.zeros((4, 4), "f4")[:, 1:3]
        self.assertRaises((TypeError, BufferError), halo.message, base, base)

    def test_an_exchange_with_nobody_leaves_the_walls(self):
        tile = np.arange(12, dtype="f4").reshape(3, 4)
        edges = (tile[:, 1:2], tile[:, -2:-1], tile[:, :1], tile[:, -1:])
        one = halo.Halo(MPI.COMM_SELF, *(array for edge in edges for array in (tile, edge)))
        one.exchange()
        self.assertEqual(tile.tolist(), np.arange(12).reshape(3, 4).tolist())


def position(base: np.ndarray, view: np.ndarray) -> int:
    return (view.ctypes.data - base.ctypes.data) // base.itemsize


def vectors_in(datatype: MPI.Datatype) -> int:
    if datatype.is_predefined:
        return 0
    return (datatype.combiner == MPI.COMBINER_HVECTOR) + vectors_in(datatype.Get_contents()[3][0])


if __name__ == "__main__":
    unittest.main()
