import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { canHaveHosts, Hosts } from '../support/hosts.js';
import { processesWith } from '../support/processes.js';
import { pythonOf } from '../support/python.js';

// examples/heat with MPI: what it computes, and how its jobs end.
const heat = path.join(import.meta.dirname, '../../../../examples/heat');
const python = pythonOf('python');
const venv = path.join(python, '../..');
const mpiexec = path.join(venv, 'bin/mpiexec');
const folder = mkdtempSync(path.join(tmpdir(), 'heat-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hasHosts = canHaveHosts('ranks on two hosts');
const RANKS = process.env['ARRAY_INTERFACE_WHOLE'] === '1' ? 4 : 2;
const field = { rows: '40', columns: '61', steps: '150' };
const options = Object.entries(field).flatMap(([name, value]) => [`--${name}`, value]);

/** Runs the example. Returns what it prints, and the bytes of its picture. */
function run(ranks: number, memory: string) {
  const out = path.join(folder, `${ranks}-${memory}.png`);
  const own = ['--venv', venv, '--ranks', String(ranks), '--memory', memory, '--out', out];
  const program = [path.join(heat, 'bin/heat.js'), ...own, ...options];
  const printed = execFileSync(process.execPath, program, { encoding: 'utf8', timeout: 300_000 });
  return { printed, picture: readFileSync(out) };
}

/** The field by NumPy alone, in one piece: the SHA-256 of its bytes. */
const WHOLE = `
import hashlib, numpy as np, sys
rows, columns, steps = map(int, sys.argv[1:])
now = np.zeros((rows, columns + 2))
now[0] = 1
for _ in range(steps):
    after = now.copy()
    after[1:-1, 1:-1] = ((now[:-2, 1:-1] + now[2:, 1:-1]) + (now[1:-1, :-2] + now[1:-1, 2:])) * 0.25
    now = after
print(hashlib.sha256(now[:, 1:-1].tobytes()).hexdigest())
`;

describe('the field and the picture', () => {
  const digest = execFileSync(python, ['-c', WHOLE, ...Object.values(field)], { encoding: 'utf8' });
  const one = run(1, 'host');

  test("of one rank are NumPy's", () => {
    expect(one.printed).toContain(`field ${digest}`);
  });

  test.each(['host', 'sycl', 'cuda'])(
    `of ${RANKS} ranks are those of one, in %s memory`,
    (memory) => {
      const { printed, picture } = run(RANKS, memory);
      expect(printed).toContain(`ranks ${RANKS}, ${memory} memory`);
      expect(printed).toContain(`field ${digest}`);
      expect(picture.equals(one.picture)).toBe(true);
    },
  );

  test.runIf(hasHosts)('of ranks on two hosts, too', async () => {
    await using hosts = await Hosts.make(folder);
    const out = path.join(folder, 'hosts.png');
    const own = ['--venv', venv, '--ranks', '2', '--out', out];
    const inNode = [process.execPath, path.join(heat, 'bin/rank.js'), ...own, ...options];
    const inPython = [python, '-m', 'mpi4py', path.join(heat, 'python/heat.py'), ...options];
    const printed = hosts.run(mpiexec, [...['-n', '1', ...inNode, ':', '-n', '1', ...inPython]]);
    expect(printed).toContain(`field ${digest}`);
    expect(readFileSync(out).equals(one.picture)).toBe(true);
    // A column of doubles to either side in each step.
    expect(hosts.received()).toBeGreaterThan(8 * Number(field.rows) * Number(field.steps));
  });
});

test("halo.py's own tests pass", () => {
  const args = ['-m', 'unittest', 'discover', '-s', path.join(heat, 'test')];
  const env = {
    ...process.env,
    PYTHONPATH: path.join(heat, 'python'),
    PYTHONDONTWRITEBYTECODE: '1',
    UCX_MEM_EVENTS: 'no',
  };
  const { stderr, status } = spawnSync(python, args, { encoding: 'utf8', env });
  expect(stderr).toMatch(/^OK$/m);
  expect(status).toBe(0);
});

describe('a job ends, with the status of the rank that failed, when a rank', () => {
  const world = JSON.stringify(path.join(heat, 'dist/world.js'));
  const join = `import { joinWorld } from ${world}; const { python, comm, rank } = joinWorld(${JSON.stringify(venv)});`;
  const inNode = (code: string) => [process.execPath, '--input-type=module', '-e', join + code];
  const inPython = (code: string) => {
    return [python, '-m', 'mpi4py', '-c', `from mpi4py.MPI import COMM_WORLD as comm; ${code}`];
  };
  // Waits for a message that never comes.
  const waits = inNode("comm.callMethod('recv', [], { source: 0 });");

  test.each<[string, string[], number]>([
    ['throws', inNode("throw new Error('planned');"), 1],
    ['has a promise that rejects', inNode("await Promise.reject(new Error('planned'));"), 1],
    ['throws later', inNode("setTimeout(() => { throw new Error('planned'); }, 10);"), 1],
    ['calls process.exit', inNode('process.exit(7);'), 7],
    ['gets an exception of Python', inNode("python.exec('raise ValueError(1)');"), 1],
    ['is killed', inNode("process.kill(process.pid, 'SIGKILL');"), 9],
    ['raises an exception in plain Python', inPython('raise ValueError(1)'), 1],
    ['exits in plain Python', inPython('import sys; sys.exit(5)'), 5],
  ])('%s', async (_, first, expected) => {
    const mark = `HEAT_TEST=${process.pid}-${performance.now()}`;
    const [name = '', value] = mark.split('=');
    const command = ['-n', '1', ...first, ':', '-n', '1', ...waits];
    const { status, signal } = spawnSync(mpiexec, command, {
      env: { ...process.env, [name]: value, UCX_MEM_EVENTS: 'no' },
      timeout: 120_000,
    });
    expect([status, signal]).toEqual([expected, null]);
    await expect.poll(() => processesWith(mark), { timeout: 20_000 }).toEqual([]);
  });

  test.runIf(hasHosts)('throws on either of two hosts', async () => {
    const mark = `HEAT_TEST=${process.pid}-hosts`;
    const marked = ['-env', ...(mark.split('=') as [string, string])];
    await using hosts = await Hosts.make(folder);
    const throws = inNode("throw new Error('planned');");
    const waitsFor = (source: number) => inPython(`comm.recv(source=${source})`);
    for (const [first, second] of [
      [throws, waitsFor(0)],
      [waitsFor(1), throws],
    ] as const) {
      const command = ['-n', '1', ...marked, ...first, ':', '-n', '1', ...marked, ...second];
      expect(() => hosts.run(mpiexec, command)).toThrow(expect.objectContaining({ status: 1 }));
      await expect.poll(() => processesWith(mark), { timeout: 20_000 }).toEqual([]);
    }
  });

  test('none fails, and the event loop runs while one waits for a message', () => {
    const ticked = JSON.stringify(path.join(folder, 'ticked'));
    // Sends once the event loop of the rank that waits has run.
    const sends = inNode(`
      const { existsSync } = await import('node:fs');
      const timer = setInterval(() => {
        if (!existsSync(${ticked})) return;
        clearInterval(timer);
        comm.callMethod('send', [3], { dest: 1 });
      }, 5);
    `);
    const gets = inNode(`
      const { writeFileSync } = await import('node:fs');
      const received = python.runAsync(python.eval('lambda comm: comm.recv(source=0)'), [comm]);
      let ticks = 0;
      const timer = setInterval(() => { if (++ticks === 5) writeFileSync(${ticked}, ''); }, 5);
      console.log(await received);
      clearInterval(timer);
    `);
    const command = ['-n', '1', ...sends, ':', '-n', '1', ...gets];
    const { status, stdout } = spawnSync(mpiexec, command, { encoding: 'utf8', timeout: 120_000 });
    expect([status, stdout]).toEqual([0, '3\n']);
  });

  test('none fails: then with status 0, once all have ended', () => {
    const sends = inNode("comm.callMethod('send', [3], { dest: 1 });");
    const later = "setTimeout(() => console.log('the last'), 500);";
    const gets = inNode(`comm.callMethod('recv', [], { source: 0 }); ${later}`);
    const command = ['-n', '1', ...sends, ':', '-n', '1', ...gets];
    const { status, stdout } = spawnSync(mpiexec, command, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, 'the last\n']);
  });
});
