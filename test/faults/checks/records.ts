import type { Json } from '../../support/merchant-client.ts';
import type { Environment } from '../load/book.ts';
import type { CarefulClient } from '../load/careful-client.ts';
import type { Merchant } from '../load/merchant.ts';
import { readAll } from './read-all.ts';

/** What the merchant's account shows, in one environment. */
export interface Shown {
  readonly environment: Environment;
  readonly deposits: readonly Json[];
  readonly payouts: readonly Json[];
  readonly conversions: readonly Json[];
  readonly refunds: readonly Json[];
  readonly disputes: readonly Json[];
  readonly entries: readonly Json[];
  readonly balance: Json;
}

export async function readShown({ clients, book }: Merchant, environment: Environment): Promise<Shown> {
  const client = clients[environment];
  const refunds: Json[] = [];
  const refunded = new Set(
    [...book.refunds.values()].filter((refund) => refund.environment === environment).map((refund) => refund.depositId),
  );
  for (const id of refunded) refunds.push(...(await readAll(client, `/v1/deposits/${id}/refunds`)));
  const [listed, entries] = [await readAll(client, '/v1/payouts'), await readAll(client, '/v1/transactions')];
  return {
    environment,
    deposits: await readAll(client, '/v1/deposits'),
    payouts: [...listed, ...(await readUnlisted(client, listed, entries))],
    conversions: await readAll(client, '/v1/conversions'),
    refunds,
    disputes: await readAll(client, '/v1/disputes'),
    entries,
    balance: (await client.get('/v1/balance')).body,
  };
}

/** What was debited for a call that came to nothing is in no list; the statement names it (docs/adr/0006). */
async function readUnlisted(client: CarefulClient, listed: readonly Json[], entries: readonly Json[]): Promise<Json[]> {
  const known = new Set(listed.map(({ id }) => id as string));
  const named = new Set(
    entries.filter(({ ref_type: type }) => type === 'payout').map(({ ref_id: id }) => id as string),
  );
  const unlisted: Json[] = [];
  for (const id of named) {
    if (known.has(id)) continue;
    const { status, body } = await client.get(`/v1/payouts/${id}`);
    if (status === 200) unlisted.push(body.payout);
  }
  return unlisted;
}

/** A payout whose provider has not been heard of; it is looked up again, and believed lost only after two minutes. */
export const isInFlight = (payout: Json, transfers: ReadonlyMap<string, number>): boolean =>
  payout.environment === 'live' &&
  payout.status === 'PROCESSING' &&
  !transfers.has(String(payout.id).slice('pyt_'.length));

/** Everything that was answered is there, in the state it must end in, and nothing twice. */
export function recordProblems({ book }: Merchant, shown: Shown, transfers: ReadonlyMap<string, number>): string[] {
  const { environment } = shown;
  const problems: string[] = [];
  const compare = <T extends { id: string; externalId: string; environment: Environment }>(
    answered: Iterable<T>,
    records: readonly Json[],
    problemOf: (answer: T, record: Json) => string | undefined,
  ) => {
    const byId = new Map(records.map((record) => [record.id as string, record]));
    for (const answer of answered) {
      if (answer.environment !== environment) continue;
      const record = byId.get(answer.id);
      byId.delete(answer.id);
      const problem = record === undefined ? 'is gone' : problemOf(answer, record);
      if (problem !== undefined) problems.push(`${environment} ${answer.externalId} ${answer.id} ${problem}`);
    }
    for (const record of byId.values()) {
      if (!isGivenBack(record)) problems.push(`${environment} ${record.external_id} ${record.id} was never answered`);
    }
  };
  const inState = (record: Json, ...states: string[]) =>
    states.includes(record.status) ? undefined : `is ${record.status} instead of ${states.join(' or ')}`;
  compare(book.deposits.values(), shown.deposits, (answer, record) => {
    // A clock that was an hour ahead may have ended a charge early.
    if (!answer.isPaid) return inState(record, 'PENDING', 'EXPIRED');
    const isGone =
      isWhollyRefunded(book.refunds.values(), answer) || book.contested.get(answer.id)?.result === 'ACCEPTED';
    return inState(record, isGone ? 'REFUNDED' : 'PAID');
  });
  for (const { depositId, amount, result } of environment === 'live' ? book.contested.values() : []) {
    const found = shown.disputes.filter((dispute) => dispute.deposit_id === depositId);
    const wanted = result === 'ACCEPTED' ? `LOST ${amount} 0` : 'WON 0 0';
    const shownOnes = found.map((one) => `${one.status} ${one.returned_cents} ${one.blocked_cents}`).join(', ');
    if (shownOnes !== wanted) problems.push(`disputes of ${depositId}: ${shownOnes || 'none'} instead of ${wanted}`);
  }
  compare(book.payouts.values(), shown.payouts, ({ isUncertain }, record) => {
    if (isInFlight(record, transfers) || (isUncertain && isGivenBack(record))) return undefined;
    return inState(record, 'PAID');
  });
  compare(book.refunds.values(), shown.refunds, (_answer, record) => inState(record, 'DONE'));
  compare(book.conversions.values(), shown.conversions, (_answer, record) => inState(record, 'COMPLETED'));
  return problems;
}

/** What was debited for a call that ended in 503 stays visible by its id, with its money given back. */
export const isGivenBack = (record: Json): boolean =>
  record.object === 'payout' && record.status === 'REJECTED' && record.failure_reason === 'creation_abandoned';

export function isWhollyRefunded(
  refunds: Iterable<{ depositId: string; amount: number }>,
  deposit: { id: string; amount: number },
): boolean {
  return [...refunds].some(({ depositId, amount }) => depositId === deposit.id && amount === deposit.amount);
}
