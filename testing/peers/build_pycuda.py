"""Builds PyCUDA's source distribution into the environment whose Python runs this; it has no wheels.

python build_pycuda.py VERSION LIBCUDA: linked with that libcuda.so.1, with the headers that the environment's wheels
hold, without cuRAND and OpenGL, not optimised, and its Boost as one source: half a minute instead of two.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path


def pip(*arguments):
    flags = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    command = [sys.executable, "-m", "pip", *arguments[:1], *flags, *arguments[1:]]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONWARNINGS": "ignore"})


def cuda_root():
    """The folder of the wheels with CUDA's headers in include/."""
    for header in Path(sysconfig.get_path("purelib"), "nvidia").glob("*/include/cuda.h"):
        if header.with_name("cudaProfiler.h").exists():
            return header.parents[1]
    raise SystemExit("no cuda.h and cudaProfiler.h in the wheels of NVIDIA")


def check_compiler():
    compiler = shlex.split(os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "g++")[0]
    if shutil.which(compiler) is None:
        raise SystemExit(f"no C++ compiler: {compiler} is not there")


def merge_boost(libraries):
    """Merges Boost's sources into one, except those of threads, of which PyCUDA chooses the system's."""
    parts = [part for part in sorted(libraries.glob("**/*.cpp")) if "thread" not in part.parts]
    whole = libraries / "all" / "all.cpp"
    whole.parent.mkdir()
    names = [part.rename(part.with_suffix(".ipp")).relative_to(libraries) for part in parts]
    whole.write_text("".join(f'#include "../{name}"\n' for name in names))


def main(version, libcuda):
    libcuda = Path(libcuda).absolute()
    root = cuda_root()
    check_compiler()
    with tempfile.TemporaryDirectory() as folder:
        pip("download", "--no-binary=pycuda", "-d", folder, f"pycuda=={version}")
        shutil.unpack_archive(next(Path(folder).glob("*.tar.gz")), folder)
        source = next(Path(folder).glob("pycuda-*/"))
        merge_boost(source / "bpl-subset" / "bpl_subset" / "libs")
        settings = {
            "CUDA_ROOT": str(root),
            "CUDA_ENABLE_CURAND": False,
            "CUDADRV_LIB_DIR": [str(libcuda.parent)],
            "CUDADRV_LIBNAME": [f":{libcuda.name}"],
            "CXXFLAGS": ["-O0", "-g0", "-w"],
        }
        lines = [f"{name} = {value!r}\n" for name, value in settings.items()]
        (source / "siteconf.py").write_text("".join(lines))
        pip("install", "--no-index", "--no-cache-dir", str(source))


main(*sys.argv[1:])
