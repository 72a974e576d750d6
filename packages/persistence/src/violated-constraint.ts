import { causesOf } from '@gateway/runtime';

/** The name of the constraint a statement violated, or undefined when it failed for another reason (style.md 10). */
export function violatedConstraint(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { code, constraint } = cause as typeof cause & { constraint?: unknown };
    if (typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string') return constraint;
  }
  return undefined;
}
