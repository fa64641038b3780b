"""Prints the names that headers cuda_runtime_api.h declare, with the majors of CUDA that do.

python3 names.py HEADER… > names.txt: the names and versions alone, nothing else of the headers.
"""

import re
import sys

versions = []
majors = {}
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as opened:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", opened.read(), flags=re.DOTALL)
    version = int(re.search(r"#define CUDART_VERSION\s+(\d+)", text)[1])
    versions.append(f"{version // 1000}.{version % 1000 // 10}")
    names = re.findall(r"\bextern\b[^;{(]*?\s(cuda\w+)\s*\(", text)
    names += re.findall(r"#define\s+cuda\w+\s+(cuda\w+)\n", text)  # newer ones of the same name
    # Under these names programs that are compiled for per-thread default streams call functions.
    per_thread = re.findall(r"#define\s+\w+\s+__CUDART_API_(PTDS|PTSZ)\((\w+)\)", text)
    for name in {*names, *(f"{name}_{suffix.lower()}" for suffix, name in per_thread)}:
        majors.setdefault(name, []).append(str(version // 1000))
print(f"# What cuda_runtime_api.h {' and '.join(versions)} declare. Written by names.py.")
for name, of in sorted(majors.items()):
    print(name, *of)
