/** How a terminal shows pictures: by the protocol of iTerm2 or by that of kitty. */
export type Protocol = 'iterm' | 'kitty';

/** The most that kitty takes in one escape code, in characters of base64. */
const CHUNK = 4096;

/** What the variables of a terminal say that it can show; null: nothing, or nobody knows. */
export function protocolOf(env: NodeJS.ProcessEnv): Protocol | null {
  const { TERM = '', TERM_PROGRAM = '', LC_TERMINAL = '' } = env;
  if (/^(screen|tmux)/.test(TERM)) return null; // between us and the terminal
  if (['xterm-kitty', 'xterm-ghostty'].includes(TERM)) return 'kitty';
  if (['iTerm.app', 'WezTerm'].includes(TERM_PROGRAM) || LC_TERMINAL === 'iTerm2') return 'iterm';
  return null;
}

/** What has a terminal show a PNG when it is written there. */
export function shown(png: Buffer, protocol: Protocol): string {
  const data = png.toString('base64');
  if (protocol === 'iterm') return `\x1b]1337;File=inline=1;size=${png.length}:${data}\x07\n`;
  const chunks = data.match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? [];
  const codes = chunks.map((chunk, index) => {
    const first = index === 0 ? 'a=T,f=100,q=2,' : '';
    return `\x1b_G${first}m=${index + 1 < chunks.length ? 1 : 0};${chunk}\x1b\\`;
  });
  return `${codes.join('')}\n`;
}
