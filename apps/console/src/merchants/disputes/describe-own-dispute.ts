import type { Dispute } from '#src/generated/merchants/types.gen.ts';

/** The nearest deadline first; what has none comes last, as the list had it. */
export function byDeadline(disputes: readonly Dispute[]): Dispute[] {
  const dueOf = ({ defense_due_at: due }: Dispute) => (due === null ? Infinity : Date.parse(due));
  return [...disputes].sort((one, other) => {
    const [first, second] = [dueOf(one), dueOf(other)];
    return first === second ? 0 : first - second;
  });
}
