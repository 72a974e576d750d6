import { z } from 'zod';
import { balanceBefore, findEntry, statementOf, type Entry, type StatementEntry } from '#src/account/entry.ts';
import { invalid, pageQuerySchema } from '#src/fintoc/account-numbers.ts';
import { fintocAccount, notFound, type FintocBank } from '#src/fintoc/bank.ts';

const querySchema = pageQuerySchema.extend({
  direction: z.enum(['inbound', 'outbound']).optional(),
  resource_id: z.string().optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});

const farPast = '2020-01-01T00:00:00Z';
const farFuture = '2100-01-01T00:00:00Z';

/** `GET /v2/accounts/{id}/movements`: the newest first. */
export async function listMovements(bank: FintocBank, accountId: string, query: unknown): Promise<object[]> {
  if (accountId !== bank.accountId) throw notFound;
  const parsed = querySchema.safeParse(query);
  if (!parsed.success) throw invalid(parsed.error);
  const { since = farPast, until = farFuture, direction, resource_id: resource, limit, starting_after } = parsed.data;
  const from = new Date(since);
  const period = { dialect: fintocAccount, from, to: new Date(until), now: bank.now() };
  const before = await balanceBefore(bank.database, fintocAccount, from);
  const entries = await statementOf(bank.database, period);
  const movements = entries.map((entry) => presentMovement(bank.accountId, entry, before + entry.moved));
  const asked = movements.filter(
    (movement) =>
      (direction === undefined || movement.direction === direction) &&
      (resource === undefined || movement.resource_id === resource),
  );
  const newest = asked.toReversed();
  const after = starting_after === undefined ? 0 : newest.findIndex(({ id }) => id === starting_after) + 1;
  return newest.slice(after, after + limit);
}

function presentMovement(accountId: string, entry: StatementEntry, balance: number) {
  const { id, copy, kind, amount, bookedAt } = entry;
  return {
    id: `mov_${id}${copy === 0 ? '' : `x${copy}`}`,
    object: 'movement',
    account_id: accountId,
    amount: Math.abs(amount),
    balance,
    currency: 'MXN',
    direction: amount > 0 ? 'inbound' : 'outbound',
    mode: 'test',
    resource_id: resourceOf(entry),
    return_pair_id: null,
    transaction_date: bookedAt.toISOString(),
    type: kind === 'fee' ? 'fee' : kind === 'return' ? 'transfer_return' : 'transfer',
  };
}

const resources: Readonly<Record<string, string>> = { payment: 'in', payout: 'out', return: 'out', refund: 'back' };

function resourceOf({ id, kind, sourceId }: Entry): string | null {
  if (kind === 'own_transfer') return `tr_own${id}`;
  const prefix = resources[kind];
  return prefix === undefined ? null : `tr_${prefix}${sourceId}`;
}

/** `GET /v2/transfers/{id}` of the operator's own money: nothing is attached to it. */
export async function getOwnTransfer(bank: FintocBank, entryId: number): Promise<object> {
  const entry = await findEntry(bank.database, fintocAccount, entryId);
  if (entry?.kind !== 'own_transfer') throw notFound;
  const isIn = entry.amount > 0;
  return {
    id: `tr_own${entry.id}`,
    object: 'transfer',
    amount: Math.abs(entry.amount),
    currency: 'MXN',
    direction: isIn ? 'inbound' : 'outbound',
    status: 'succeeded',
    tracking_key: `OWN${entry.id}`,
    transaction_date: entry.bookedAt.toISOString(),
    account_number: isIn ? { id: 'acno_root', object: 'account_number', metadata: {} } : null,
    counterparty: { account_number: '990180000000000000', holder_id: null, holder_name: 'SIMULATOR' },
    metadata: {},
  };
}
