"""Tickets of many threads at one time."""

import threading
import unittest

import array_interface
from other_process import OtherProcess


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

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(len({ticket["lease"] for ticket in tickets}), 400)
        with OtherProcess() as other:
            other.run("array_interface.open_ticket(value)", tickets[250])
        for ticket in tickets:
            ticket.close()


if __name__ == "__main__":
    unittest.main()
