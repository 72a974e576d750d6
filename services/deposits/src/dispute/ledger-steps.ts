import type { LedgerCommand } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { unixSeconds } from '#src/deposit/to-deposit.ts';
import type { DisputeRow } from '#src/dispute/dispute-entity.ts';

/** How long a shortfall is taken from later credits (api.md 2). */
const captureSec = 90 * 86_400;

/** What the ledger has decided, by name. */
type Amounts = Readonly<Record<string, number>>;

/** available → blocked, as much as is there. */
export async function blockMoney(dependencies: Dependencies, dispute: DisputeRow, timeoutMs: number): Promise<Amounts> {
  return await carryOut(dependencies, [blockCommand(dispute, dispute.id, dispute.amount)], timeoutMs);
}

/**
 * Carries a verdict out. A part that is lost is held by a dispute of its own in the ledger, so that the rest is released
 * and a shortfall of that part stays due.
 */
export async function settleMoney(
  dependencies: Dependencies,
  dispute: DisputeRow,
  timeoutMs: number,
): Promise<Amounts> {
  const { lostId, lostAmount } = dispute;
  if (dispute.verdict === 'won') return await carryOut(dependencies, [releaseCommand(dispute)], timeoutMs);
  if (!lostId || !lostAmount) return await carryOut(dependencies, [returnCommand(dispute, dispute.id)], timeoutMs);
  const part = [blockCommand(dispute, lostId, lostAmount), returnCommand(dispute, lostId)];
  return await carryOut(dependencies, [releaseCommand(dispute), ...part], timeoutMs);
}

/**
 * Gives back what a lost dispute took, what later credits paid into its shortfall included, and lets the rest of the
 * shortfall be: the provider has taken its decision back.
 */
export async function compensate(dependencies: Dependencies, dispute: DisputeRow, timeoutMs: number): Promise<void> {
  const disputeId = dispute.lostId ?? dispute.id;
  const { provider } = dispute;
  const id = `overturn-dispute:${disputeId}`;
  const command: LedgerCommand = { kind: 'overturn-dispute', id, ...ownerOf(dispute), disputeId, provider };
  await carryOut(dependencies, [command], timeoutMs);
}

/** The amounts of the last command; each is asked for until answered, in order, and none twice. */
async function carryOut(
  { askLedger }: Dependencies,
  commands: readonly LedgerCommand[],
  timeoutMs: number,
): Promise<Amounts> {
  let amounts: Amounts = {};
  for (const command of commands) {
    const result = await askLedger(command, timeoutMs);
    if (result.outcome !== 'applied') {
      throw new Error(`the ledger refuses ${command.id}: ${result.outcome} ${result.refusal ?? result.field ?? ''}`);
    }
    amounts = result.amounts;
  }
  return amounts;
}

function ownerOf({ environment, accountId, currency }: DisputeRow) {
  return { environment, accountId, currency };
}

function blockCommand(dispute: DisputeRow, disputeId: string, amount: number): LedgerCommand {
  const captureUntil = unixSeconds(dispute.openedAt) + captureSec;
  const { depositId } = dispute;
  const id = `block-dispute:${disputeId}`;
  return { kind: 'block-dispute', id, ...ownerOf(dispute), disputeId, depositId, amount, captureUntil };
}

function releaseCommand(dispute: DisputeRow): LedgerCommand {
  return { kind: 'release-dispute', id: `release-dispute:${dispute.id}`, ...ownerOf(dispute), disputeId: dispute.id };
}

function returnCommand(dispute: DisputeRow, disputeId: string): LedgerCommand {
  const id = `return-dispute:${disputeId}`;
  return { kind: 'return-dispute', id, ...ownerOf(dispute), disputeId, provider: dispute.provider };
}
