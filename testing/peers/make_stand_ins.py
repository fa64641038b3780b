"""Makes libraries of the names that CuPy's wheel links and that are not installed, all of whose functions refuse.

python make_stand_ins.py FOLDER: cuBLAS and the like are not needed for arrays, but CuPy does not load without files of
their names. What is made is for the tests on this machine alone: no package contains it, and no search path but theirs.
"""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

LIBRARIES = {
    "cublas": "libcublas.so.12",
    "cudnn": "libcudnn.so.8",
    "cufft": "libcufft.so.11",
    "curand": "libcurand.so.10",
    "cusolver": "libcusolver.so.11",
    "cusparse": "libcusparse.so.12",
    "cutensor": "libcutensor.so.1",
    "nccl": "libnccl.so.2",
}


def wanted(package):
    """The functions of these libraries that a package's files lack, by library, as (name, version) pairs."""
    functions = {library: set() for library in LIBRARIES.values()}
    for file in package.rglob("*.so"):
        listed = subprocess.run(["nm", "-D", "--undefined-only", file], capture_output=True, text=True, check=True)
        for name, version in re.findall(r" U (\w+)(?:@@?(\S+))?$", listed.stdout, re.M):
            prefix = next((one for one in LIBRARIES if name.lower().startswith(one)), None)
            if prefix is not None:
                functions[LIBRARIES[prefix]].add((name, version))
    return functions


def make(folder, library, functions):
    """Compiles one library. Each function writes its name on stderr, and returns a status that is no success."""
    source = ["#include <stdio.h>"]
    for name, _ in sorted(functions):
        source.append(f'int {name}(void) {{ fputs("{name} is a stand-in that refuses\\n", stderr); return 15; }}')
    versions = sorted({version for _, version in functions if version}) or [library]
    (folder / "versions").write_text("".join(f"{one} {{ global: *; }};\n" for one in versions[:1]))
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O0", "-x", "c", "-", "-o", folder / library, f"-Wl,-soname,{library}"]
        + [f"-Wl,--version-script={folder / 'versions'}"],
        input="\n".join(source) + "\n",
        text=True,
        check=True,
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    origin = importlib.util.find_spec("cupy").origin
    for library, functions in wanted(Path(origin).parents[1]).items():
        if not (folder / library).exists():
            make(folder, library, functions)
    print(folder)
