"""Tickets of many threads at one time."""

import threading
import time
import unittest
from unittest import mock

import array_interface
from array_interface import TicketError
from array_interface._lease import Lease, LeaseLock
from other_process import OtherProcess


def at_once(work, count=4):
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Threads(unittest.TestCase):
    def test_share_and_close(self):
        errors = []
        tickets = []

        def work():
            try:
                for _ in range(100):
                    array = array_interface.empty(4, "<i4")
                    array_interface.share(array).close()
                    tickets.append(array_interface.share(array))
            except Exception as error:
                errors.append(error)

        at_once(work)
        self.assertEqual(errors, [])
        self.assertEqual(len({ticket["lease"] for ticket in tickets}), 400)
        with OtherProcess() as other:
            other.run("array_interface.open_ticket(value)", tickets[250])
        for ticket in tickets:
            ticket.close()

    def test_openers_take_turns(self):
        lease = Lease()
        lease.admit("d" * 64)
        lock = LeaseLock({"lease": lease.path, "nonce": lease.nonce, "digest": "d" * 64})
        moments = []

        def work():
            with lock.turn():
                moments.append("begin")
                time.sleep(0.02)
                moments.append("end")

        at_once(work)
        self.assertEqual(moments, ["begin", "end"] * 4)
        lock.leave()
        self.assertTrue(lease.try_end())

    def test_openers_of_their_own_take_turns_too(self):
        """Each has the file of its own, as another process has."""
        lease = Lease()
        lease.admit("d" * 64)
        fields = {"lease": lease.path, "nonce": lease.nonce, "digest": "d" * 64}
        moments = []
        errors = []

        def work():
            lock = LeaseLock(fields)
            try:
                for _ in range(3):
                    with lock.turn():
                        moments.append("begin")
                        time.sleep(0.01)
                        moments.append("end")
            except TicketError as error:
                errors.append(error)
            finally:
                lock.leave()

        at_once(work)
        self.assertEqual(errors, [], "openers that did not wait for the others' moment")
        self.assertEqual(moments, ["begin", "end"] * 12)
        self.assertTrue(lease.try_end())

    def test_a_lock_that_somebody_holds_is_not_waited_for_forever(self):
        lease = Lease()
        lease.admit("d" * 64)
        fields = {"lease": lease.path, "nonce": lease.nonce, "digest": "d" * 64}
        holder, lock = LeaseLock(fields), LeaseLock(fields)
        with holder.turn(), mock.patch("array_interface._lease.LOCK_TIMEOUT", 0.05):
            with self.assertRaisesRegex(TicketError, "one that another process holds; release other locks on it"):
                with lock.turn():
                    self.fail("two have the lock")
        with lock.turn():
            pass
        for one in (holder, lock):
            one.leave()


if __name__ == "__main__":
    unittest.main()
