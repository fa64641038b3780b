"""Makes libraries of the names that CuPy's and PyTorch's wheels link and that are not installed, all of whose functions
refuse.

python make_stand_ins.py FOLDER: cuBLAS and the like are not needed for arrays, but neither loads without files of their
names. Where both are installed, a name that both link is one file for both. What is made is for the tests on this machine
alone: no package contains it, and no search path but theirs.
"""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

# By package: its folders, and the libraries that it links, by the beginning of their functions' names in lower case. A
# longer beginning comes before a shorter one.
WHEELS = {
    "cupy": (
        ["cupy", "cupy_backends"],
        {
            "cublas": "libcublas.so.12",
            "cudnn": "libcudnn.so.8",
            "cufft": "libcufft.so.11",
            "curand": "libcurand.so.10",
            "cusolver": "libcusolver.so.11",
            "cusparse": "libcusparse.so.12",
            "cutensor": "libcutensor.so.1",
            "nccl": "libnccl.so.2",
        },
    ),
    "torch": (
        ["torch"],
        {
            "cublaslt": "libcublasLt.so.13",
            "cublas": "libcublas.so.13",
            "cudnn": "libcudnn.so.9",
            "cufft": "libcufft.so.12",
            "cufile": "libcufile.so.0",
            "cupti": "libcupti.so.13",
            "curand": "libcurand.so.10",
            "cusolver": "libcusolver.so.12",
            "cusparselt": "libcusparseLt.so.0",
            "cusparse": "libcusparse.so.12",
            "nccl": "libnccl.so.2",
            "nvrtc": "libnvrtc.so.13",
            "nvshmem": "libnvshmem_host.so.3",
        },
    ),
}


def installed(package):
    """The folder of packages that has this one, or None."""
    found = importlib.util.find_spec(package)
    return found and Path(found.origin).parents[1]


def wanted(folder, packages, libraries):
    """The functions of these libraries that packages' files lack, by library, as (name, version) pairs."""
    functions = {library: set() for library in libraries.values()}
    for file in (file for package in packages for file in (folder / package).rglob("*.so")):
        listed = subprocess.run(["nm", "-D", "--undefined-only", file], capture_output=True, text=True, check=True)
        for name, version in re.findall(r" U (\w+)(?:@@?(\S+))?$", listed.stdout, re.M):
            beginning = next((one for one in libraries if name.lower().startswith(one)), None)
            if beginning is not None:
                functions[libraries[beginning]].add((name, version))
    return functions


def make(folder, library, functions):
    """Compiles one library. Each function writes its name on stderr, and returns a status that is no success."""
    source = ["#include <stdio.h>"]
    for name in sorted({name for name, _ in functions}):
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
    all_functions = {}
    for package, (packages, libraries) in WHEELS.items():
        if (site := installed(package)) is None:
            continue
        for library, functions in wanted(site, packages, libraries).items():
            all_functions.setdefault(library, set()).update(functions)
    for library, functions in all_functions.items():
        if not (folder / library).exists():
            make(folder, library, functions)
    print(folder)
