"""Code that another user could change is not loaded."""

import os
import subprocess
import sys
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

from array_interface._trusted_path import is_elevated, why_untrusted

ANOTHER = 12345


class TrustedPath(unittest.TestCase):
    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = os.path.realpath(self._folder.name)
        self.file = os.path.join(self.folder, "libcuda.so.1")
        with open(self.file, "w"):
            pass

    def test_a_step_up_leads_out_of_where_a_link_leads(self) -> None:
        elsewhere = os.path.join(self.folder, "elsewhere")
        os.makedirs(os.path.join(elsewhere, "below"))
        with open(os.path.join(elsewhere, "libcuda.so.1"), "w"):
            pass
        os.chmod(elsewhere, 0o777)
        os.symlink(os.path.join(elsewhere, "below"), os.path.join(self.folder, "link"))
        why = why_untrusted(os.path.join(self.folder, "link", "..", "libcuda.so.1"))
        self.assertIn(f"{elsewhere} may be written by every user", why or "")

    def test_what_cannot_be_looked_at(self) -> None:
        self.assertIn("cannot be inspected", why_untrusted(os.path.join(self.folder, "x" * 300)) or "")

    def test_a_file_of_our_own(self) -> None:
        self.assertIsNone(why_untrusted(self.file))
        self.assertIsNone(why_untrusted(os.path.join(self.folder, "none")))
        os.symlink("libcuda.so.1", os.path.join(self.folder, "link"))
        self.assertIsNone(why_untrusted(os.path.join(self.folder, "link")))

    def test_one_that_every_user_may_write(self) -> None:
        for part in (self.file, self.folder):
            os.chmod(part, 0o777)
            self.assertIn(f"{part} may be written by every user", why_untrusted(self.file) or "")
            os.chmod(part, 0o700)

    def test_a_link_into_such_a_folder(self) -> None:
        os.mkdir(os.path.join(self.folder, "open"))
        os.chmod(os.path.join(self.folder, "open"), 0o777)
        link = os.path.join(self.folder, "link")
        os.symlink("open/../open/library", link)
        self.assertIn("open may be written by every user", why_untrusted(link) or "")

    def test_what_others_could_make(self) -> None:
        missing = os.path.join(self.folder, "missing", "libcuda.so.1")
        self.assertIsNone(why_untrusted(missing))
        os.chmod(self.folder, 0o1777)
        self.assertIn(f"other users may create it in {self.folder}", why_untrusted(missing) or "")
        self.assertIsNone(why_untrusted(self.file))

    def test_links_that_lead_to_one_another(self) -> None:
        one, other = (os.path.join(self.folder, name) for name in ("one", "other"))
        os.symlink(one, other)
        os.symlink(other, one)
        self.assertEqual(why_untrusted(one), f"{one} leads through more than 40 symbolic links; use the file's real path")

    def test_what_belongs_to_another_user_or_a_group(self) -> None:
        def of(uid: int, gid: int, mode: int) -> "mock._patch[mock.MagicMock]":
            status = SimpleNamespace(st_uid=uid, st_gid=gid, st_mode=mode)
            return mock.patch("os.lstat", return_value=status)

        with of(ANOTHER, 0, 0o40755):
            self.assertIn(f"belongs to user {ANOTHER}", why_untrusted(self.file) or "")
        with of(os.geteuid(), ANOTHER, 0o40775):
            self.assertIn(f"may be written by group {ANOTHER}", why_untrusted(self.file) or "")
        with of(os.geteuid(), os.geteuid(), 0o40775):
            self.assertIsNone(why_untrusted(self.file))

    def test_the_driver_is_not_loaded_from_there(self) -> None:
        os.chmod(self.file, 0o666)
        program = "from array_interface._driver import driver; driver()"
        answer = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "ARRAY_INTERFACE_LIBCUDA": self.file},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertIn(f"{self.file} may be written by every user", answer.stderr)

    def test_this_process_has_no_more_rights(self) -> None:
        self.assertFalse(is_elevated())
