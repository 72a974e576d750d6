/** A message is shown up to this length: more is not read on a screen, and would not fit into an answer on the bus. */
const shownLengthMax = 65_536;

/**
 * Bytes for an operator to read: text as it is, with everything that is none written as an escape (`\x00`, `\xff`), and
 * cut where it gets long.
 */
export function shownBytes(bytes: Buffer): string {
  const cut = bytes.subarray(0, shownLengthMax);
  const text = isText(cut) ? cut.toString() : escaped(cut);
  const shown = text.slice(0, shownLengthMax);
  const isCut = bytes.length > cut.length || text.length > shown.length;
  return isCut ? `${shown}… (${bytes.length} bytes)` : shown;
}

function isText(bytes: Buffer): boolean {
  // A character that was cut in two at the end is no other text.
  const text = new TextDecoder('utf-8', { fatal: false }).decode(bytes, { stream: true });
  return !text.includes('\uFFFD') && !controls.test(text);
}

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

function escaped(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) {
    const isPrintable = (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x09;
    text += isPrintable ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
    if (text.length > shownLengthMax) break;
  }
  return text;
}
