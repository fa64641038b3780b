// Processes that Python starts have the environment, and nothing of ours.
import { python } from '../running.mjs';

python.exec(`
import multiprocessing, os, subprocess, sys
asked = 'import sys, os; print(sys.prefix, sorted(n for n in os.environ if n in ("PYTHONHOME", "PYTHONPATH")))'
print(subprocess.check_output([sys.executable, '-c', asked], text=True).strip() == sys.prefix + ' []')
with multiprocessing.get_context('spawn').Pool(2) as pool: print(pool.map(abs, [-1, -2, 3]))
`);
