import type { AuditEntry } from '#src/generated/types.gen.ts';

/** How many hours a handover looks back. */
export const shifts = ['8', '12', '24'] as const;
export type Shift = (typeof shifts)[number];

/** The shift that an address names; what it does not know is the last eight hours. */
export function shiftOf(given: unknown): Shift {
  return shifts.find((shift) => shift === String(given)) ?? '8';
}

/** What one operator did, and how often, with what it was done to. */
export interface Deed {
  readonly operator: string;
  readonly action: string;
  readonly targets: readonly string[];
}

/** The changes of a shift, one line for each operator and kind; who did most comes first. */
export function deedsOf(entries: readonly AuditEntry[]): readonly Deed[] {
  const byKey = new Map<string, { operator: string; action: string; targets: string[] }>();
  for (const { operator, action, target } of entries) {
    const key = `${operator} ${action}`;
    const deed = byKey.get(key) ?? { operator, action, targets: [] };
    deed.targets.push(target);
    byKey.set(key, deed);
  }
  return [...byKey.values()].sort((one, other) => other.targets.length - one.targets.length);
}

/** What is handed over as plain text, to be pasted elsewhere. */
export function handoverText(
  title: string,
  parts: readonly { readonly heading: string; readonly lines: readonly string[]; readonly none: string }[],
): string {
  const texts = parts.map(({ heading, lines, none }) =>
    [heading, ...(lines.length === 0 ? [`- ${none}`] : lines.map((line) => `- ${line}`))].join('\n'),
  );
  return [title, ...texts].join('\n\n');
}
