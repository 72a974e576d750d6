import { generateSecret, generateURI, verify } from 'otplib';
import type { Realm } from '@gateway/contracts/identity';
import type { Database, Queries } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';

/** One step of 30 s before and after: clocks of phones are not exact. */
const toleranceSec = 30;

export function newTotpSecret(name: string): { readonly secret: string; readonly uri: string } {
  const secret = generateSecret();
  return { secret, uri: generateURI({ issuer: 'Gateway', label: name, secret }) };
}

/** The time step (TOTP) a code belongs to; null when it fits none near now. */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<number | null> {
  const epoch = Math.floor(now.getTime() / 1_000);
  const result = await verify({ secret, token: code, epochTolerance: toleranceSec, epoch });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

interface TotpRow {
  readonly sealed: string;
  readonly last_step: number;
}

export async function setTotp(
  queries: Queries,
  box: SecretBox,
  { realm, personId, secret, step }: { realm: Realm; personId: string; secret: string; step: number },
): Promise<void> {
  await queries.query(
    `insert into totp (realm, person_id, sealed, last_step) values ($1, $2, $3, $4)
     on conflict (realm, person_id) do update set sealed = excluded.sealed, last_step = excluded.last_step`,
    [realm, personId, box.seal(secret, personId), step],
  );
}

/** Takes a code of a person: each step once, also when two requests bring the same code. */
export async function takeCode(
  database: Database,
  box: SecretBox,
  { realm, personId, code, now }: { realm: Realm; personId: string; code: string; now: Date },
): Promise<boolean> {
  const [row] = await database.query<TotpRow>(
    'select sealed, last_step from totp where realm = $1 and person_id = $2',
    [realm, personId],
  );
  const step = row && (await stepOfCode(box.open(row.sealed, personId), code, now));
  if (typeof step !== 'number') return false;
  const taken = await database.query(
    'update totp set last_step = $3 where realm = $1 and person_id = $2 and last_step < $3 returning last_step',
    [realm, personId, step],
  );
  return taken.length > 0;
}
