import { createInterface as createLines } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Streams } from './output.ts';

/** Asks for a secret and shows nothing of it. */
export async function askSecret({ stdin, stderr }: Streams, question: string): Promise<string> {
  stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    stderr.write('\n');
  }
}

/** The first line of what is piped in. */
export async function firstLine(stdin: NodeJS.ReadStream): Promise<string> {
  for await (const line of createLines({ input: stdin })) return line.trim();
  return '';
}
