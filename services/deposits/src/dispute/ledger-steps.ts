import type { LedgerCommand } from '@gateway/contracts/ledger';
import { unixSeconds } from '@gateway/contracts/values';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import type { DisputeRow } from '#src/dispute/dispute-entity.ts';

/** How long a shortfall is taken from later credits (api.md 2). */
const captureSec = 90 * 86_400;

/** What the ledger has decided, by name. */
type Amounts = Readonly<Record<string, number>>;

/** available → blocked, as much as is there. */
export async function blockMoney(
  dependencies: DisputeDependencies,
  dispute: DisputeRow,
  timeoutMs: number,
): Promise<Amounts> {
  return await carryOut(dependencies, blockCommand(dispute), timeoutMs);
}

/**
 * A refund that was in the way of a dispute came to nothing, or a further part of the money was taken back: what is
 * contested, or lost, beyond what the ledger holds due is due as well. The ledger may have carried the decision out
 * before the record knows. The command names the whole that is due, so that another id for it takes nothing twice.
 */
export async function extendHolding(
  dependencies: DisputeDependencies,
  dispute: DisputeRow,
  timeoutMs: number,
): Promise<void> {
  const { id: disputeId, extendedBy, amount, verdict, lostAmount } = dispute;
  const due = verdict === 'lost' ? (lostAmount ?? amount) : amount;
  const id = `extend-dispute:${disputeId}:${extendedBy}:${due}`;
  const command: LedgerCommand = { kind: 'extend-dispute', id, ...ownerOf(dispute), disputeId, amount: due };
  await carryOut(dependencies, command, timeoutMs);
}

/** Carries a decision out in one command: of a part that is lost, the rest is released in the same moment. */
export async function settleMoney(
  dependencies: DisputeDependencies,
  dispute: DisputeRow,
  timeoutMs: number,
): Promise<Amounts> {
  const command = dispute.verdict === 'won' ? releaseCommand(dispute) : returnCommand(dispute);
  return await carryOut(dependencies, command, timeoutMs);
}

/**
 * Gives back what a lost dispute took, what later credits paid into its shortfall included, and lets the rest of the
 * shortfall be: the provider has taken its decision back.
 */
export async function compensate(
  dependencies: DisputeDependencies,
  dispute: DisputeRow,
  timeoutMs: number,
): Promise<Amounts> {
  const disputeId = dispute.lostId ?? dispute.id;
  const { provider } = dispute;
  const id = `overturn-dispute:${disputeId}`;
  const command: LedgerCommand = { kind: 'overturn-dispute', id, ...ownerOf(dispute), disputeId, provider };
  return await carryOut(dependencies, command, timeoutMs);
}

async function carryOut(
  { askLedger }: DisputeDependencies,
  command: LedgerCommand,
  timeoutMs: number,
): Promise<Amounts> {
  const { outcome, refusal, field, amounts } = await askLedger(command, timeoutMs);
  if (outcome === 'applied') return amounts;
  throw new Error(`the ledger refuses ${command.id}: ${outcome} ${refusal ?? field ?? ''}`);
}

function ownerOf({ environment, accountId, currency }: DisputeRow) {
  return { environment, accountId, currency };
}

function blockCommand(dispute: DisputeRow): LedgerCommand {
  const captureUntil = unixSeconds(dispute.openedAt) + captureSec;
  const { id: disputeId, depositId, amount } = dispute;
  const id = `block-dispute:${disputeId}`;
  return { kind: 'block-dispute', id, ...ownerOf(dispute), disputeId, depositId, amount, captureUntil };
}

function releaseCommand(dispute: DisputeRow): LedgerCommand {
  return { kind: 'release-dispute', id: `release-dispute:${dispute.id}`, ...ownerOf(dispute), disputeId: dispute.id };
}

function returnCommand(dispute: DisputeRow): LedgerCommand {
  const { id: disputeId, provider, lostAmount } = dispute;
  const id = `return-dispute:${disputeId}`;
  const command = { kind: 'return-dispute', id, ...ownerOf(dispute), disputeId, provider } as const;
  return typeof lostAmount === 'number' ? { ...command, amount: lostAmount } : command;
}
