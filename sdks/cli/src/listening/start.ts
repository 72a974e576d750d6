import { type Flags, type Option, textFlag } from '../command/command.ts';
import { UsageError } from '../faults/errors.ts';
import { type Followed, placeBefore } from './follow.ts';
import type { LastEvent } from './place.ts';

const secondsPer: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const msPerSecond = 1_000;

/** Where a reader of the log begins, in place of where it was. */
export const beginningOptions: Readonly<Record<string, Option>> = {
  since: { type: 'string', hint: '1h', about: 'Begins that long ago, in place of where it was: 90s, 30m, 1h, 7d.' },
  after: { type: 'string', hint: 'evt_…', about: 'Begins after that event, in place of where it was.' },
};

/**
 * Where to begin: as it is typed, else where it was, else now. A gateway that is away is waited for.
 *
 * @throws UsageError for what is no beginning
 */
export async function startOf(
  { gateway, signal }: Pick<Followed, 'gateway' | 'signal'>,
  flags: Flags,
  kept: LastEvent | undefined,
): Promise<LastEvent> {
  const [since, after] = [textFlag(flags, 'since'), textFlag(flags, 'after')];
  if (since !== undefined && after !== undefined) throw new UsageError('--since and --after exclude each other');
  if (after !== undefined) {
    if (!/^evt_[0-9a-z]+$/.test(after)) throw new UsageError('--after is the id of an event: evt_…');
    return after;
  }
  if (since !== undefined) return placeBefore(gateway, momentBefore(since), signal);
  return kept === undefined ? placeBefore(gateway, undefined, signal) : kept;
}

function momentBefore(since: string): Date {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(since) ?? [];
  if (unit === '') throw new UsageError('--since is a time such as 90s, 30m, 1h or 7d');
  return new Date(Date.now() - Number(count) * (secondsPer[unit] ?? 0) * msPerSecond);
}
