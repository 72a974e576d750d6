import type { Tone } from '#src/look/status.tsx';

/** What a deadline is known by, of whatever console. */
export interface Due {
  readonly status: string;
  readonly defense_due_at: string | null;
}

/** Below this the end of a deadline is shown as a danger. */
const dangerMs = 24 * 3_600_000;

/** How a deadline stands: what is decided has none any more. */
export function deadlineOf(
  { status, defense_due_at: due }: Due,
  now: Date,
): { readonly at: Date; readonly isPast: boolean; readonly tone: Tone } | undefined {
  if (due === null || status === 'WON' || status === 'LOST') return undefined;
  const at = new Date(due);
  const leftMs = at.getTime() - now.getTime();
  return { at, isPast: leftMs <= 0, tone: leftMs <= 0 ? 'neutral' : leftMs < dangerMs ? 'bad' : 'wait' };
}
