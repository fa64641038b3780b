"""Launches a kernel of a file that goes when the process exits, after the driver, as those of compiled programs do.

python3 at_exit.py LIBRARY
"""

import ctypes

from library import Dim3, cudart, internal, ok, register, register_function, size

PTX = b".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry kernel() { ret; }\n"
on_host = ctypes.create_string_buffer(1)
file = register(PTX)
register_function(file, on_host, b"kernel")
unregister = ctypes.cast(internal("UnregisterFatBinary"), ctypes.c_void_p)
getattr(ctypes.CDLL(None), "__cxa_atexit")(unregister, file, None)
ok(cudart.cudaLaunchKernel(on_host, Dim3(1, 1, 1), Dim3(1, 1, 1), None, size(0), None))
ok(cudart.cudaDeviceSynchronize())
