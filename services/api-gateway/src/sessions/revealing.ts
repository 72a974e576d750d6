import { Readable } from 'node:stream';
import { DomainError } from '@gateway/contracts/errors';
import type { Database } from '@gateway/persistence';
import { type AuditedRead, completeRead, type OperatorAct, recordRead } from '#src/approvals/audit.ts';
import type { Answer } from '#src/http/endpoint.ts';
import type { Asked } from '#src/sessions/confirmations.ts';
import { personalMembersIn } from '#src/sessions/masked.ts';

/**
 * Why the personal data of one record is asked for unmasked; undefined: it is not.
 *
 * @throws DomainError PERMISSION_DENIED for a reveal that the roles do not allow
 */
export function revealIn({ reveal }: Pick<Asked, 'reveal'>, mayReveal: boolean): string | undefined {
  if (reveal === undefined || reveal.trim() === '') return undefined;
  if (!mayReveal) throw new DomainError('PERMISSION_DENIED', 'the operation takes the permission pii:reveal');
  return reveal;
}

/** What the trail says about a reveal: why, and which members were shown; none of a file. */
export function revealedIn(reveal: string, { body }: Answer): { readonly reveal: string; readonly fields: string[] } {
  const isFile = body instanceof Readable || body instanceof Uint8Array;
  return { reveal, fields: isFile ? [] : personalMembersIn(body) };
}

/**
 * Leaves the trace of a read before its answer. How many records a list in CSV has is known when its receiver has taken
 * them.
 *
 * @throws DomainError SERVICE_UNAVAILABLE when the row cannot be written; then nothing may be answered
 */
export async function leaveTrace(
  database: Database,
  act: OperatorAct,
  answer: Answer,
  read: AuditedRead,
): Promise<void> {
  const { body, written } = answer;
  try {
    const row = await recordRead(database, act, read);
    if (!(body instanceof Readable) || !written) return;
    // The row says who read what, also when the number cannot be added.
    body.once('close', () => void completeRead(database, row, written.records).catch(() => undefined));
  } catch (error) {
    if (body instanceof Readable) body.destroy();
    throw error;
  }
}
