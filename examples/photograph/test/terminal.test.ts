import { describe, expect, test } from 'vitest';
import { type Protocol, protocolOf, shown } from '../src/terminal.js';

describe('the terminal', () => {
  test.each([
    ['kitty', { TERM: 'xterm-kitty' }],
    ['kitty', { TERM: 'xterm-ghostty', TERM_PROGRAM: 'ghostty' }],
    ['iterm', { TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }],
    ['iterm', { TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }],
    ['iterm', { TERM: 'xterm-256color', LC_TERMINAL: 'iTerm2' }], // over SSH
    [null, { TERM: 'xterm-256color' }],
    [null, { TERM: 'tmux-256color', LC_TERMINAL: 'iTerm2' }],
    [null, {}],
  ])('shows pictures by %s with %o', (protocol, env) => {
    expect(protocolOf(env)).toBe(protocol);
  });

  // More than one escape code of kitty holds.
  const png = Buffer.from(Array.from({ length: 9000 }, (_, i) => i % 251));

  const codesOf = (protocol: Protocol) =>
    shown(png, protocol).replaceAll('\x1b', '␛').replaceAll('\x07', '␇');

  test('gets a whole picture from one code of iTerm2', () => {
    const code = /^␛\]1337;File=inline=1;size=(\d+):([^␇]*)␇\n$/;
    const [, size, data = ''] = code.exec(codesOf('iterm')) ?? [];
    expect(Number(size)).toBe(png.length);
    expect(Buffer.from(data, 'base64').equals(png)).toBe(true);
  });

  test('gets it from several codes of kitty, of 4096 characters at most', () => {
    const codes = [...codesOf('kitty').matchAll(/␛_G([^;]*);([^␛]*)␛\\/g)];
    expect(codes.map(([, keys]) => keys)).toEqual(['a=T,f=100,q=2,m=1', 'm=1', 'm=0']);
    const chunks = codes.map(([, , data = '']) => data);
    expect(Math.max(...chunks.map(({ length }) => length))).toBe(4096);
    expect(Buffer.from(chunks.join(''), 'base64').equals(png)).toBe(true);
  });
});
