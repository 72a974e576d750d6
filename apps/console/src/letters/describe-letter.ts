import type { DeadLetter } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** What has become of a message that no service could handle. */
export const letterToneOf: Readonly<Record<DeadLetter['status'], Tone>> = {
  WAITING: 'bad',
  RETRIED: 'good',
  DISCARDED: 'neutral',
};

/** Why a message was not handled: each difference from its schema in a line, anything else as it is. */
export function reasonLines(reason: string): readonly string[] {
  const issues = parsed(reason);
  if (!Array.isArray(issues) || !issues.every(isIssue)) return [reason];
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
}

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function isIssue(value: unknown): value is Issue {
  if (typeof value !== 'object' || value === null) return false;
  const { path, message } = value as Partial<Record<keyof Issue, unknown>>;
  return Array.isArray(path) && typeof message === 'string';
}

/** The content as it is read: JSON with its members below each other, anything else as it is. */
export function readable(content: string): string {
  const value = parsed(content);
  return value === undefined ? content : JSON.stringify(value, null, 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
