import { Readable } from 'node:stream';
import type { AuditedRead } from '#src/approvals/audit.ts';
import { type Answer, isListFile } from '#src/http/endpoint.ts';
import type { MemberCall, MemberRow } from '#src/members/member-endpoint.ts';
import { revealedIn } from '#src/sessions/revealing.ts';
import { isJsonBytes } from '#src/sessions/shown-answer.ts';

/** What names a person in a query: the search is recorded, though its answer is masked. */
const personalFilters = ['payer_document', 'recipient_document'] as const;

type ReadingRow = Pick<MemberRow, 'operation' | 'reads' | 'method'>;
type ReadingCall = Pick<MemberCall, 'member' | 'params'> & { readonly query: unknown; readonly body: unknown };

/** Whether an answer is a file, in which nothing is masked. */
export function isFile(answer: Answer): boolean {
  const { body } = answer;
  return body instanceof Readable || (body instanceof Uint8Array && !isJsonBytes(answer));
}

/** Whether one record is shown unmasked: a list never is. */
export function isRevealed({ reads, method }: ReadingRow, answer: Answer, reveal: string | undefined): boolean {
  return reveal !== undefined && reads !== undefined && method === 'GET' && isOfOne(answer) && !isFile(answer);
}

function isOfOne(answer: Answer): boolean {
  return answer.written === undefined && !isJsonBytes(answer);
}

/** The row of a file that is asked for, and written later: it is there before anything is made. */
export function recordedOrder(
  { reads: action, method }: ReadingRow,
  { member: { accountId }, body }: ReadingCall,
): AuditedRead | undefined {
  if (action === undefined || method === 'GET') return undefined;
  return { action, target: action, accountId, filter: body as object, records: null };
}

/**
 * The row of a read by one of a merchant's people: of a record that is revealed, of a search by a document, and of a file.
 * What is read masked leaves none.
 */
export function recordedRead(
  row: ReadingRow,
  { member: { accountId }, params, query }: ReadingCall,
  answer: Answer,
  reveal: string | undefined,
): AuditedRead | undefined {
  const { operation, reads, method } = row;
  const action = reads ?? (isListFile(answer) ? 'list.file' : undefined);
  if (action === undefined || method !== 'GET') return undefined;
  const target = Object.values(params).at(-1) ?? (reads === undefined ? operation : action);
  const read = { action, target, accountId };
  if (reveal !== undefined && isRevealed(row, answer, reveal)) {
    return { ...read, filter: revealedIn(reveal, answer), records: 1 };
  }
  const asked = (query ?? {}) as Readonly<Record<string, unknown>>;
  if (isFile(answer)) {
    const isOne = isOfOne(answer);
    return { ...read, filter: isOne ? null : asked, records: isOne ? 1 : null };
  }
  if (personalFilters.every((name) => asked[name] === undefined)) return undefined;
  return { ...read, filter: asked, records: countIn(answer) };
}

/** Of a page that the owner of the records may have written. */
function countIn({ body, written }: Answer): number {
  if (written) return written.records;
  const page = JSON.parse(new TextDecoder().decode(body as Uint8Array)) as { readonly data: readonly unknown[] };
  return page.data.length;
}
