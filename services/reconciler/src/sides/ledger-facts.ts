import type { MoneyRecordPlace } from '@gateway/contracts/ledger';
import type { ItemKind } from '@gateway/contracts/reconciler';
import type { Environment } from '@gateway/contracts/values';
import type { Fact } from '#src/matching/items.ts';
import { subjectOfCommand, subjectOfRecord } from '#src/matching/kinds.ts';
import type { SoundLink } from '#src/sides/check-links.ts';

const providerPrefix = 'provider:';

/** What a command has moved at one provider, and for which record. */
interface Leg {
  readonly provider: string;
  readonly currency: string;
  readonly amount: number;
  readonly kind: ItemKind;
  readonly subject: string;
  readonly recordId: string | null;
  /** What the leg is called besides the command. */
  readonly name: string;
}

/** Accounts of ours that hold money for a while. Adjustments have suspense on their other side, for good. */
const clearingAccount = /^(?:transit:.+|suspense)$/;

/** What a dispute is about is blocked by its first command, and not any more after the last. */
const disputeCommands: Readonly<Record<string, 'open' | 'closed'>> = {
  'block-dispute': 'open',
  'release-dispute': 'closed',
  'return-dispute': 'closed',
  'overturn-dispute': 'closed',
};

/**
 * What a decision has moved at providers. A credit may pay, besides what it is about, what lost disputes still lack: that is
 * a movement of the dispute's own.
 */
export function factsOfLink(environment: Environment, link: SoundLink): Fact[] {
  if (!link.isApplied) return [];
  const { place, commandId, request } = link;
  const factOf = ({ name, ...leg }: Leg): Fact => ({
    ...leg,
    environment,
    side: 'L',
    key: commandId + name,
    occurredAt: new Date(place.decidedAtMs),
    accountId: request.accountId,
    commandId,
    sequence: place.sequence,
    hash: Buffer.from(place.hash, 'hex'),
    fee: request.fee ?? null,
    ...{ e2eId: null, returnId: null, ourRef: request.reference ?? null, counterparty: null },
    revision: 0,
  });
  const legs = legsOf(link);
  return [
    ...[...legs, ...clearingLegs(link), ...refundedLegs(link, legs)].map(factOf),
    ...disputedLegs(link).map((leg) => ({ ...factOf(leg), key: leg.subject, revision: place.sequence })),
  ];
}

/** What a decision has put into an account that has to drain, or taken out of it. */
function clearingLegs({ commandId, request, postings }: SoundLink): Leg[] {
  const recordId = commandId.split(':')[1];
  if (request.kind === 'adjust' || recordId === undefined) return [];
  return postings
    .filter(([account, bucket, , amount]) => bucket === 'system' && clearingAccount.test(account) && amount !== 0)
    .map(([account, , currency, amount]) => {
      const subject = subjectOfRecord('clearing', recordId);
      return { provider: account, currency, amount, kind: 'clearing', subject, recordId, name: ` ${account}` };
    });
}

/** What has gone back of a deposit by refunds, beside what each of them is: the deposit says so too. */
function refundedLegs({ request: { depositId } }: SoundLink, legs: readonly Leg[]): Leg[] {
  if (depositId === undefined) return [];
  return legs
    .filter((leg) => leg.kind === 'refund')
    .map((leg) => {
      const subject = subjectOfRecord('refunded', depositId);
      return { ...leg, kind: 'refunded', subject, recordId: depositId, name: ' refunded' };
    });
}

/** Of a dispute the last decision counts: a credit in between may pay into it. */
function disputedLegs({ commandId, request: { kind, currency, amount = 0 } }: SoundLink): Leg[] {
  const [state, recordId] = [disputeCommands[kind], commandId.split(':')[1]];
  if (!state || recordId === undefined) return [];
  const subject = subjectOfRecord('clearing', recordId);
  const held = state === 'open' ? amount : 0;
  return [{ provider: 'blocked', currency, amount: held, kind: 'clearing', subject, recordId, name: '' }];
}

function legsOf({ commandId, postings, entries }: SoundLink): Leg[] {
  const about = subjectOfCommand(commandId);
  const recordId = commandId.split(':')[1] ?? null;
  const legs: Leg[] = [];
  let nextEntry = 0;
  let disputeId: string | null = null;
  for (const [account, bucket, currency, amount] of postings) {
    if (bucket === 'available') {
      const [, , , , , , refType, refId] = entries[nextEntry++] ?? [];
      disputeId = refType === 'dispute' ? (refId ?? null) : null;
    }
    if (bucket !== 'system' || !account.startsWith(providerPrefix)) continue;
    // What we hold at a provider is negative in the ledger.
    const leg = { provider: account.slice(providerPrefix.length), currency, amount: -amount };
    if (disputeId === null || about.kind === 'dispute_return' || about.kind === 'dispute_overturn') {
      legs.push({ ...leg, ...about, recordId, name: '' });
    } else {
      const subject = subjectOfRecord('dispute_return', disputeId);
      legs.push({ ...leg, kind: 'dispute_return', subject, recordId: disputeId, name: ` ${disputeId}` });
    }
  }
  return legs;
}

/** The records that decisions are about, each once. */
export function recordsOf(facts: readonly Fact[]): MoneyRecordPlace[] {
  const places = new Map<string, MoneyRecordPlace>();
  for (const { accountId, recordId } of facts) {
    if (accountId !== null && recordId !== null) places.set(`${accountId} ${recordId}`, { accountId, id: recordId });
  }
  return [...places.values()];
}
