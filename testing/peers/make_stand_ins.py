"""Makes libraries of the names that CuPy's, PyTorch's and JAX's wheels link or load and that are not installed. Their
functions refuse.

python make_stand_ins.py FOLDER: cuBLAS and the like are not needed for arrays, but CuPy and PyTorch do not load without
files of their names, and JAX finds no device without NVML. Where several are installed, a name that they link is one
file for all. What is made is for the tests on this machine alone: no package contains it, and no search path but theirs.
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
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
    "jax_plugins": (["jax_plugins"], {"nvml": "libnvidia-ml.so.1"}),
}

# The statuses of cuBLAS and of NVML for what is not supported; other libraries have no success of that number.
NOT_SUPPORTED, NVML_NOT_SUPPORTED = 15, 3

# Of NVML, which JAX starts before it counts devices.
NO_REFUSALS = {
    "nvmlInit_v2": "int nvmlInit_v2(void) { return 0; }",
    "nvmlErrorString": 'const char *nvmlErrorString(int status) { return "a stand-in refuses"; }',
}


def installed(package):
    """The folder of packages that has this one, or None."""
    found = importlib.util.find_spec(package)
    return found and Path(next(iter(found.submodule_search_locations))).parent


def wanted(folder, packages, libraries):
    """The functions of these libraries that packages' files lack, by library, as (name, version) pairs."""
    functions = {library: set() for library in libraries.values()}
    for file in (file for package in packages for file in (folder / package).rglob("*.so")):
        # JAX's plugin has a function of its own for each, which looks for the library's when it is first called.
        what = ["--defined-only"] if packages == ["jax_plugins"] else ["-D", "--undefined-only"]
        listed = subprocess.run(["nm", *what, file], capture_output=True, text=True, check=True)
        for name, version in re.findall(r" [Ut] (\w+)(?:@@?(\S+))?$", listed.stdout, re.M):
            beginning = next((one for one in libraries if name.lower().startswith(one)), None)
            if beginning is not None:
                functions[libraries[beginning]].add((name, version))
    return functions


def make(folder, library, functions):
    """Compiles one library. Each function writes its name on stderr, and returns a status that is no success. Another
    process may make the same one: whoever finds it finds all of it."""
    source = ["#include <stdio.h>"]
    for name in sorted({name for name, _ in functions}):
        status = NVML_NOT_SUPPORTED if name.startswith("nvml") else NOT_SUPPORTED
        refusal = f'int {name}(void) {{ fputs("{name} is a stand-in that refuses\\n", stderr); return {status}; }}'
        source.append(NO_REFUSALS.get(name, refusal))
    version = min((version for _, version in functions if version), default="")
    with tempfile.TemporaryDirectory(dir=folder) as work:
        made, script = Path(work, library), Path(work, "version")
        script.write_text(f"{version} {{ global: *; }};\n")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O0", "-x", "c", "-", "-o", made, f"-Wl,-soname,{library}"]
            + [f"-Wl,--version-script={script}"],
            input="\n".join(source) + "\n",
            text=True,
            check=True,
        )
        made.replace(folder / library)


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
