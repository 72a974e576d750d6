import type { AuditEntry } from '#src/generated/types.gen.ts';

/** One member that a change changed, as text. */
interface Changed {
  readonly member: string;
  readonly before: string;
  readonly after: string;
}

const none = '–';

/** What is different after a change; of something new, all of it. */
export function changedMembers({ before, after }: Pick<AuditEntry, 'before' | 'after'>): readonly Changed[] {
  const [was, is] = [asObject(before), asObject(after)];
  const members = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return members
    .map((member) => ({ member, before: shown(was[member]), after: shown(is[member]) }))
    .filter((each) => each.before !== each.after);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return none;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
