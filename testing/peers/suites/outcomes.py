"""A plugin of pytest for `npm run suites`. It writes each outcome to the file of OUTCOMES, one line of JSON for each, so
that they are known even if the process dies: which test begins, how it ended, and that the session ended. It leaves
out the tests of the file of OUTCOMES_BEFORE, one a line. A test that takes longer than OUTCOMES_LIMIT seconds ends the
process with status 1. So does, with status 3, a test that leaves a context broken: in it the others would fail, too.
"""

import ctypes
import faulthandler
import json
import os
from pathlib import Path

outcomes = open(os.environ["OUTCOMES"], "a", buffering=1)
before = set(Path(os.environ["OUTCOMES_BEFORE"]).read_text().splitlines())
limit = float(os.environ["OUTCOMES_LIMIT"])

# Errors from which on every call in the context fails: a misaligned or illegal address, an assertion, a timeout, …
BROKEN = {700, 702, 710, 714, 715, 716, 717, 718, 719}
BROKEN_STATUS = 3
driver = ctypes.CDLL("libcuda.so.1")


def note(**line):
    outcomes.write(json.dumps(line) + "\n")


def reason_of(report):
    """The first line of what a failure or a skip says."""
    if report.skipped and isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    crash = getattr(report.longrepr, "reprcrash", None)
    return crash.message if crash else str(report.longrepr)


def pytest_collection_modifyitems(config, items):
    again = [item for item in items if item.nodeid in before]
    items[:] = [item for item in items if item.nodeid not in before]
    config.hook.pytest_deselected(items=again)


def pytest_collectreport(report):
    if report.failed:
        note(test=report.nodeid, outcome="failed", reason=reason_of(report))
    elif report.skipped:
        note(test=report.nodeid, outcome="skipped", reason=reason_of(report))


def pytest_runtest_logstart(nodeid):
    note(begins=nodeid)
    faulthandler.dump_traceback_later(limit, exit=True)


def pytest_runtest_logreport(report):
    if report.failed or report.skipped:
        note(test=report.nodeid, outcome=report.outcome, reason=reason_of(report))


def pytest_runtest_logfinish(nodeid):
    faulthandler.cancel_dump_traceback_later()
    note(ends=nodeid)
    if driver.cuCtxGetDevice(ctypes.byref(ctypes.c_int())) in BROKEN:
        os._exit(BROKEN_STATUS)


def pytest_sessionfinish():
    note(ends=None)
