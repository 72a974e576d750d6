import type { anchorTargets } from '@gateway/contracts/ledger';
import { causesOf } from '@gateway/runtime';

/** A signed checkpoint that is to be kept outside. */
export interface AnchoredNote {
  readonly environment: string;
  readonly shard: number;
  readonly size: number;
  readonly note: string;
}

/** What is kept as evidence of an anchor; nothing where the other side keeps it. */
export interface Evidence {
  readonly request: Uint8Array | null;
  readonly answer: Uint8Array | null;
}

/** A place outside that keeps checkpoints. A checkpoint may reach it twice: the same bytes, or a second token. */
export interface AnchorTarget {
  readonly name: (typeof anchorTargets)[number];
  /** @throws AnchorFailure, or what the connection throws; it is tried again then */
  readonly keep: (anchored: AnchoredNote) => Promise<Evidence>;
}

/** The other side has not taken it. */
export class AnchorFailure extends Error {
  override readonly name: string = 'AnchorFailure';
}

/** What is answered is false, or speaks against the ledger. It is not kept as evidence, and operators are alerted. */
export class ContradictionError extends AnchorFailure {
  override readonly name = 'ContradictionError';
}

const timeoutMs = 15_000;
const answerBytesMax = 64 * 1_024;
export const noEvidence: Evidence = { request: null, answer: null };

/** Sends a request and reads what is answered. Redirects are not followed: what is configured is where it goes. */
export async function ask(
  request: Request,
  signal: AbortSignal = AbortSignal.timeout(timeoutMs),
): Promise<{ status: number; media: string; answer: Buffer }> {
  const response = await fetch(request, { redirect: 'manual', signal });
  const { status, headers } = response;
  return { status, media: headers.get('content-type') ?? '', answer: await readAtMost(response) };
}

/** @throws AnchorFailure when it was not taken */
export async function send(request: Request): Promise<Buffer> {
  const { status, answer } = await ask(request);
  if (status < 200 || status > 299) throw new AnchorFailure(`answered ${status}`);
  return answer;
}

async function readAtMost(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (body === null) return Buffer.alloc(0);
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new AnchorFailure(`answered more than ${answerBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** For operators: the message with what caused it, in one line. */
export function failureText(error: unknown): string {
  const texts = [...causesOf(error)].map(({ message }) => message);
  return (texts.length > 0 ? texts.join(': ') : String(error)).slice(0, 500);
}
