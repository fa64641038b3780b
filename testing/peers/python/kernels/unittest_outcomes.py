"""Runs unittest modules and writes, as one line of JSON, what became of each test:
`{"module.Class.test": "pass" | "skip: WHY" | "fail: LAST LINE" | "error: LAST LINE"}`.

`python unittest_outcomes.py MODULE… [--without TEST…]`
"""

import contextlib
import json
import sys
import unittest
import warnings
from functools import partialmethod


class Outcomes(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.of = {}

    def _note(self, outcome, test, error=None):
        if error is not None:
            outcome += f": {error[0].__name__}: {error[1]}".splitlines()[0]
        self.of[test.id()] = outcome

    def addSuccess(self, test):
        self.of.setdefault(test.id(), "pass")

    def addSkip(self, test, reason):
        self._note(f"skip: {reason}", test)

    addFailure = partialmethod(_note, "fail")
    addError = partialmethod(_note, "error")

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self._note("fail", test, error)


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def main(arguments):
    cut = arguments.index("--without") if "--without" in arguments else len(arguments)
    modules, without = arguments[:cut], set(arguments[cut + 1 :])
    warnings.simplefilter("ignore")
    outcomes = Outcomes()
    with contextlib.redirect_stdout(sys.stderr):
        loaded = unittest.defaultTestLoader.loadTestsFromNames(modules)
        unittest.TestSuite(t for t in flat(loaded) if t.id() not in without).run(outcomes)
    print(json.dumps(outcomes.of))


main(sys.argv[1:])
