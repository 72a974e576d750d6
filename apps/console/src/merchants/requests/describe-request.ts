import type { LoggedRequest } from '#src/generated/merchants/types.gen.ts';

interface RefusalCount {
  readonly code: string;
  readonly count: number;
  /** The message of the latest of them is in this record. */
  readonly latest: LoggedRequest;
}

/** How often each code was answered, the most frequent first. The list is newest first, and so is each code's first. */
export function countedByCode(refused: readonly LoggedRequest[]): RefusalCount[] {
  const counts = new Map<string, RefusalCount>();
  for (const request of refused) {
    const { code } = request;
    if (code === null) continue;
    const known = counts.get(code);
    counts.set(code, { code, count: (known?.count ?? 0) + 1, latest: known?.latest ?? request });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count);
}

/** A member of a request that was wrong, and why, as the refusal says. */
interface Fault {
  readonly path: string;
  readonly message: string;
}

/** What an answer says is wrong with its request; nothing for an answer that is no refusal. */
export function faultsIn(answer: unknown): readonly Fault[] {
  const error = memberOf(answer, 'error');
  const details = memberOf(error, 'details');
  if (!Array.isArray(details)) return [];
  return details.flatMap((detail: unknown) => {
    const [path, message] = [memberOf(detail, 'path'), memberOf(detail, 'message')];
    return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
  });
}

/** Why it was refused, in the words of the answer. */
export function messageIn(answer: unknown): string | undefined {
  const message = memberOf(memberOf(answer, 'error'), 'message');
  return typeof message === 'string' ? message : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
