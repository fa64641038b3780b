"""Another Python with the package, told what to do line by line."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

_PROGRAM = """
import json, sys
import array_interface
state = {"array_interface": array_interface}
for line in sys.stdin:
    code, state["value"] = json.loads(line)
    state["answer"] = None
    try:
        exec(code, state)
        reply = {"answer": state["answer"]}
    except Exception as error:
        reply = {"error": [type(error).__name__, str(error)]}
    print(json.dumps(reply), flush=True)
"""


class OtherProcess:
    def __enter__(self) -> OtherProcess:
        self._child = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def run(self, code: str, value: Any = None) -> Any:
        """What the code leaves in `answer`; names of earlier code are still there."""
        reply = self._ask(code, value)
        if "error" in reply:
            raise AssertionError(reply["error"])
        return reply["answer"]

    def refusal(self, code: str, value: Any = None) -> list[str]:
        """The name and the message of the error that the code raises."""
        return self._ask(code, value)["error"]

    @contextlib.contextmanager
    def few_files(self, left: int) -> Iterator[None]:
        """It may open no more files than so many."""
        self.run(
            "import os, resource\nfiles, most = resource.getrlimit(resource.RLIMIT_NOFILE)\n"
            "free = os.dup(0)\nos.close(free)\n"
            f"resource.setrlimit(resource.RLIMIT_NOFILE, (free + {left}, most))"
        )
        try:
            yield
        finally:
            self.run("resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))")

    def kill(self) -> None:
        """Ends it without a word."""
        if self._child.poll() is None:
            self._child.kill()
        self._child.communicate()

    def _ask(self, code: str, value: Any) -> Any:
        assert self._child.stdin is not None and self._child.stdout is not None
        print(json.dumps([code, value]), file=self._child.stdin, flush=True)
        return json.loads(self._child.stdout.readline())
