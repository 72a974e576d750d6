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

/**
 * What a decision has moved at providers. A credit may pay, besides what it is about, what lost disputes still lack: that is
 * a movement of the dispute's own.
 */
export function factsOfLink(environment: Environment, link: SoundLink): Fact[] {
  if (!link.isApplied) return [];
  const { place, commandId, request } = link;
  return legsOf(link).map(({ name, ...leg }) => ({
    ...leg,
    environment,
    side: 'L',
    key: commandId + name,
    occurredAt: new Date(place.decidedAtMs),
    accountId: request.accountId,
    commandId,
    sequence: place.sequence,
    hash: Buffer.from(place.hash, 'hex'),
    ...{ e2eId: null, returnId: null, ourRef: null, counterparty: null },
    revision: 0,
  }));
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

/** Kinds of commands that move nothing at a provider, whose records are compared all the same: for their fee. */
const alsoAsked = new Set(['debit-payout']);

/** The records that decisions are about, each once. */
export function recordsOf(links: readonly SoundLink[], facts: readonly Fact[]): MoneyRecordPlace[] {
  const places = new Map<string, MoneyRecordPlace>();
  for (const { accountId, recordId } of facts) {
    if (accountId !== null && recordId !== null) places.set(`${accountId} ${recordId}`, { accountId, id: recordId });
  }
  for (const { commandId, request, isApplied } of links) {
    const id = commandId.split(':')[1];
    if (!isApplied || id === undefined || !alsoAsked.has(request.kind)) continue;
    places.set(`${request.accountId} ${id}`, { accountId: request.accountId, id });
  }
  return [...places.values()];
}
