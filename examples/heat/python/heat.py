"""A rank in plain Python: what src/rank.ts does, with NumPy. Run as `python -m mpi4py heat.py`, so that an exception ends
the whole job."""

from __future__ import annotations

import argparse
import time

import numpy as np
from mpi4py import MPI

import halo


def share_of(columns: int, rank: int, size: int) -> tuple[int, int]:
    """The columns of a rank, as in src/share.ts."""
    least, rest = divmod(columns, size)
    first = rank * least + min(rank, rest)
    return first, first + least + (rank < rest)


def step(now: np.ndarray, following: np.ndarray, sums: tuple[np.ndarray, np.ndarray]) -> None:
    """Write the mean of the four neighbours of each inner element, added in the order of src/jacobi.ts."""
    vertical, horizontal = sums
    np.add(now[:-2, 1:-1], now[2:, 1:-1], out=vertical)
    np.add(now[1:-1, :-2], now[1:-1, 2:], out=horizontal)
    np.add(vertical, horizontal, out=vertical)
    np.multiply(vertical, 0.25, out=following[1:-1, 1:-1])


def halo_of(comm: MPI.Intracomm, tile: np.ndarray) -> halo.Halo:
    edges = (tile[:, 1:2], tile[:, -2:-1], tile[:, :1], tile[:, -1:])
    return halo.Halo(comm, *(array for edge in edges for array in (tile, edge)))


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("rows", "columns", "steps"):
        parser.add_argument(f"--{name}", type=int, required=True)
    given = parser.parse_args()
    comm = MPI.COMM_WORLD
    first, end = share_of(given.columns, comm.rank, comm.size)
    tiles = [np.zeros((given.rows, end - first + 2)) for _ in range(2)]
    for tile in tiles:
        tile[0] = 1  # the upper row is hot
    halos = [halo_of(comm, tile) for tile in tiles]
    sums = tuple(np.empty((given.rows - 2, end - first)) for _ in range(2))
    start = time.perf_counter()
    for number in range(given.steps):
        now, following = (0, 1) if number % 2 == 0 else (1, 0)
        halos[now].exchange()
        step(tiles[now], tiles[following], sums)
    milliseconds = 1000 * (time.perf_counter() - start)
    last = tiles[given.steps % 2]
    if comm.rank > 0:
        halo.send(comm, last, last[:, 1:-1], 0)
    else:
        field = np.empty((given.rows, given.columns))
        field[:, first:end] = last[:, 1:-1]
        for other in range(1, comm.size):
            low, high = share_of(given.columns, other, comm.size)
            halo.receive(comm, field, field[:, low:high], other)
        print(f"ranks {comm.size}, NumPy alone: {given.steps} steps in {milliseconds:.0f} ms")


if __name__ == "__main__":
    main()
