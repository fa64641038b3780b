import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Both ends of the cable between the hosts have this name, each in its host. */
const DEVICE = 'heat';
const ADDRESSES = ['10.77.0.1', '10.77.0.2'] as const;

/** Whether this machine can play two hosts. If not, says so on standard error. */
export function canHaveHosts(tests: string): boolean {
  const why = whyNoHosts();
  if (why !== undefined) process.stderr.write(`not run: ${tests}: ${why}\n`);
  return why === undefined;
}

function whyNoHosts(): string | undefined {
  if (process.geteuid?.() !== 0) {
    return 'only root can make network namespaces; run these tests as root';
  }
  try {
    execFileSync('ip', ['-V'], { stdio: 'ignore' });
    execFileSync('unshare', ['--net', 'true'], { stdio: 'ignore' });
  } catch (error) {
    return `they need ip (iproute2) and unshare, and the right to make network namespaces: ${(error as Error).message.split('\n')[0]}`;
  }
  return undefined;
}

/**
 * Two "hosts" on this machine: network namespaces, with a virtual cable between them and no way out.
 * They end with their processes, so nothing is left.
 */
export class Hosts implements AsyncDisposable {
  readonly #holders: readonly ChildProcess[];
  readonly #launcher: string;

  private constructor(holders: readonly ChildProcess[], folder: string) {
    this.#holders = holders;
    this.#launcher = path.join(folder, 'launcher.sh');
    const cases = ADDRESSES.map((address, host) => `${address}) process=${holders[host]?.pid};;`);
    const script = `#!/bin/sh
# What hydra calls in place of ssh: [OPTION…] HOST COMMAND…
while [ "\${1#-}" != "$1" ]; do shift; done
case $1 in ${cases.join(' ')} *) exit 2;; esac
shift
exec nsenter --target "$process" --net sh -c "$*"
`;
    writeFileSync(this.#launcher, script, { mode: 0o755 });
  }

  static async make(folder: string): Promise<Hosts> {
    const holders = ADDRESSES.map(() => spawn('unshare', ['--net', 'sleep', '600']));
    const hosts = new Hosts(holders, folder);
    try {
      await Promise.all(holders.map(hasOwnNetwork));
      hosts.#connect();
      await hosts.#areConnected();
      return hosts;
    } catch (error) {
      await hosts[Symbol.asyncDispose]();
      throw error;
    }
  }

  #connect() {
    const [a, b] = this.#holders.map(({ pid }) => String(pid)) as [string, string];
    const cable = ['link', 'add', DEVICE, 'netns', a, 'type', 'veth'];
    execFileSync('ip', [...cable, 'peer', 'name', DEVICE, 'netns', b]);
    ADDRESSES.forEach((address, host) => {
      this.#within(host, 'ip', ['addr', 'add', `${address}/24`, 'dev', DEVICE]);
      for (const device of ['lo', DEVICE]) {
        this.#within(host, 'ip', ['link', 'set', device, 'up']);
      }
    });
  }

  /** The kernel notices some time, up to a second, after its ends are up that the cable is whole. Until then libfabric passes the device over. */
  async #areConnected() {
    const state = (host: number) => this.#device(host).operstate;
    while (!ADDRESSES.every((_, host) => state(host) === 'UP')) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  #device(host: number) {
    return JSON.parse(
      this.#within(host, 'ip', ['-json', '-statistics', 'link', 'show', DEVICE]),
    )[0];
  }

  /** Runs mpiexec on the first host, with ranks that take turns on both. Returns what it prints; throws if it fails. */
  run(mpiexec: string, args: readonly string[]): string {
    const places = ['-hosts', ADDRESSES.join(','), '-launcher', 'ssh'];
    return this.#within(0, mpiexec, [...places, '-launcher-exec', this.#launcher, ...args], {
      UCX_MEM_EVENTS: 'no',
      // TCP on the cable: without the name libfabric may choose the loopback device.
      MPIR_CVAR_CH4_NETMOD: 'ofi',
      FI_PROVIDER: 'tcp',
      FI_TCP_IFACE: DEVICE,
    });
  }

  /** Bytes that have come over the cable to the first host. */
  received(): number {
    return this.#device(0).stats64.rx.bytes;
  }

  #within(host: number, program: string, args: readonly string[], env = {}): string {
    const enter = ['--target', String(this.#holders[host]?.pid), '--net', program, ...args];
    return execFileSync('nsenter', enter, {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      timeout: 200_000,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ends = this.#holders.map((holder) => once(holder, 'exit'));
    for (const holder of this.#holders) holder.kill('SIGKILL');
    await Promise.all(ends);
  }
}

async function hasOwnNetwork({ pid }: ChildProcess): Promise<void> {
  const networkOf = (process: string) => readlinkSync(`/proc/${process}/ns/net`);
  while (networkOf(String(pid)) === networkOf('self')) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
