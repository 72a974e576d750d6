import type { Worker } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { level } from '@gateway/runtime';
import { forgetAttempts } from '#src/attempts/begin-attempt.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { forgetIssuerRequests } from '#src/issuers/issuer-requests.ts';
import { forgetChallenges } from '#src/passkeys/challenges.ts';
import { later } from '#src/times.ts';

const forgetIntervalMs = 60_000;
/** An ended session is looked up no more. */
const endedSessionsSec = 90 * 86_400;
/** Refusals are what an attacker writes: they are kept for as long as they are looked into. */
const refusalsSec = 90 * 86_400;
const breakGlassSec = 86_400;

const breakGlass = level('gateway_break_glass_links', 'Links of the last day that let in past the rule of two people');

export function workers({ database, now }: Pick<Dependencies, 'database' | 'now'>): Worker[] {
  const forget = async () => {
    await forgetChallenges(database, now());
    await forgetIssuerRequests(database, now());
    await forgetAttempts(database, now());
    await forgetEnded(database, now());
    await observeBreakGlass(database, now());
  };
  return [{ name: 'what has ended', intervalMs: forgetIntervalMs, work: forget }];
}

async function forgetEnded(database: Database, now: Date): Promise<void> {
  await database.query('delete from session where ends_at < $1', [later(now, -endedSessionsSec)]);
  await database.query('delete from sign_in_link where ends_at < $1', [now]);
  await database.query("delete from sign_in where outcome = 'refused' and at < $1", [later(now, -refusalsSec)]);
}

/** Made by a command in the container, which has no metrics of its own. */
async function observeBreakGlass(database: Database, now: Date): Promise<void> {
  const [row] = await database.query<{ readonly count: number }>(
    'select count(*)::int as count from invitation where break_glass and created_at > $1',
    [later(now, -breakGlassSec)],
  );
  breakGlass.set(row?.count ?? 0);
}
