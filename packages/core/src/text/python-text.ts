/** What Python escapes by a letter. */
const LETTERS: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};
/** What Python does not print as it is, besides the space. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\\]/gu;

/** Returns text in quotes, as Python's `repr` does. */
export function quoted(text: string): string {
  return inQuotes(text.replace(UNPRINTABLE, escaped));
}

/** Returns a byte string in quotes, as Python's `repr` does. A character is a byte. */
export function quotedBytes(text: string): string {
  return `b${inQuotes(text.replace(/[^ -~]|\\/g, escaped))}`;
}

/** Returns opaque bytes as NumPy prints them. */
export function opaqueBytes(bytes: Uint8Array): string {
  return `b'${Array.from(bytes, (byte) => `\\x${hex(byte, 2).toUpperCase()}`).join('')}'`;
}

function inQuotes(text: string): string {
  if (text.includes("'") && !text.includes('"')) return `"${text}"`;
  return `'${text.replaceAll("'", "\\'")}'`;
}

function escaped(character: string): string {
  if (character === ' ') return character;
  const code = character.codePointAt(0) as number;
  const letter = LETTERS[character];
  if (letter !== undefined) return letter;
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
