import { TextDecoder } from 'node:util';
import { UnreadableStatement } from '#src/read/movement.ts';

/** No bank's file of a day is larger; one that is belongs in parts. */
export const fileBytesMax = 50 * 1_024 * 1_024;

export type Encoding = 'utf-8' | 'windows-1252';

/** Bytes at the beginning in which a file names its encoding. */
const headBytes = 1_024;

/**
 * The text of a file, piece by piece, in the encoding that its first bytes name.
 *
 * @throws UnreadableStatement for a file that is too large or empty, for bytes outside the encoding and for NUL
 */
export async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  encodingOf: (head: string) => Encoding,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let held = Buffer.alloc(0);
  let bytes = 0;
  let line = 1;
  const read = (piece: Uint8Array | undefined): string => {
    const text = decodedPiece((decoder ??= decoderFor(held, encodingOf)), piece, line);
    const nul = text.indexOf('\0');
    if (nul >= 0) throw new UnreadableStatement(line + lineEndsIn(text.slice(0, nul)), 'text', 'holds a NUL character');
    line += lineEndsIn(text);
    return text;
  };
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > fileBytesMax) throw new UnreadableStatement(line, 'file', `has more than ${fileBytesMax} bytes`);
    if (decoder) yield read(chunk);
    else {
      held = Buffer.concat([held, chunk]);
      if (held.length >= headBytes) yield read(held);
    }
  }
  if (bytes === 0) throw new UnreadableStatement(1, 'file', 'is empty');
  if (!decoder) yield read(held);
  yield read(undefined);
}

function decoderFor(head: Uint8Array, encodingOf: (head: string) => Encoding): TextDecoder {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw new UnreadableStatement(1, 'encoding', 'is UTF-16; write the file in UTF-8 or Latin-1');
  }
  return new TextDecoder(encodingOf(Buffer.from(head.subarray(0, headBytes)).toString('latin1')), { fatal: true });
}

function decodedPiece(decoder: TextDecoder, piece: Uint8Array | undefined, line: number): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
  } catch {
    throw new UnreadableStatement(line, 'encoding', `holds bytes behind this line that are no ${decoder.encoding}`);
  }
}

export function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The lines of a text without their ends. @throws UnreadableStatement for a line longer than `charactersMax` */
export async function* linesOf(texts: AsyncIterable<string>, charactersMax: number): AsyncGenerator<string[]> {
  let rest = '';
  let line = 1;
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const long = [...lines, rest].findIndex(({ length }) => length > charactersMax + 1);
    if (long >= 0) throw new UnreadableStatement(line + long, 'line', `has more than ${charactersMax} characters`);
    line += lines.length;
    yield lines.map((each) => (each.endsWith('\r') ? each.slice(0, -1) : each));
  }
  if (rest !== '') yield [rest.endsWith('\r') ? rest.slice(0, -1) : rest];
}
