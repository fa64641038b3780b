// As pybind11's static objects do: exit() drops a Python object, whose end runs Python code.
import { python } from '../running.mjs';

python.exec(`
import ctypes

class Kept:
    def __del__(self): print('dropped', flush=True)

kept = Kept()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
library = ctypes.CDLL(None)
address = ctypes.cast(ctypes.pythonapi.Py_DecRef, ctypes.c_void_p)
library.__cxa_atexit(address, ctypes.py_object(kept), None)
del kept
`);
console.log('ends');
if (process.env.ARGUMENT === 'process.exit') process.exit(3);
