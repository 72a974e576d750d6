import { createHash } from 'node:crypto';
import type { Tx } from '@gateway/persistence';
import type { DialectName } from '#src/account/charge.ts';
import type { Bank } from '#src/bank/bank.ts';
import type { CallFault, NotificationFault, Operation } from '#src/faults/fault.ts';
import { magicCallFaults } from '#src/faults/magic.ts';

interface RuleRow {
  readonly id: number;
  readonly fault: string;
  readonly times_left: number | null;
  readonly seed: string | null;
  readonly percent: number | null;
  readonly calls: number;
}

export interface FaultQuestion {
  readonly dialect: DialectName | 'bitso';
  readonly operation: Operation;
}

/** The fault a rule has for the next call of this operation, in the order the rules were made; null for none. */
async function ruledFault(tx: Tx, { dialect, operation }: FaultQuestion): Promise<string | null> {
  const rules = await tx.sql<RuleRow>(
    `select id, fault, times_left, seed, percent, calls from fault_rule
      where operation = $1 and (dialect is null or dialect = $2) and coalesce(times_left, 1) > 0
      order by id for update`,
    [operation, dialect],
  );
  for (const rule of rules) {
    const struck = strikes(rule);
    const timesUsed = struck && rule.times_left !== null ? 1 : 0;
    await tx.sql('update fault_rule set calls = calls + 1, times_left = times_left - $2 where id = $1', [
      rule.id,
      timesUsed,
    ]);
    if (struck) return rule.fault;
  }
  return null;
}

/** By count, or by chance that repeats itself: the seed and the number of the call decide. */
function strikes({ seed, percent, calls }: RuleRow): boolean {
  if (percent === null) return true;
  const digest = createHash('sha256')
    .update(`${seed ?? ''}:${calls}`)
    .digest();
  return digest.readUInt32BE(0) % 100 < percent;
}

/** The fault for one call: by rule, or by magic amount or key on the first call of its reference. */
export async function nextCallFault(
  bank: Bank,
  question: FaultQuestion & {
    readonly reference?: string;
    readonly amount?: number;
    readonly magic?: CallFault | null;
  },
): Promise<CallFault | null> {
  const magic = question.magic ?? magicCallFaults[question.amount ?? 0];
  if (!magic && !bank.faults.armed) return null;
  return await bank.database.transaction(async (tx) => {
    const ruled = await ruledFault(tx, question);
    if (ruled) return ruled as CallFault;
    if (!magic || question.reference === undefined) return null;
    const first = await tx.sql(
      'insert into magic_fault_done (dialect, operation, reference) values ($1, $2, $3) on conflict do nothing returning 1',
      [question.dialect, question.operation, question.reference],
    );
    return first.length > 0 ? magic : null;
  });
}

export async function nextNotificationFault(tx: Tx, dialect: DialectName): Promise<NotificationFault | null> {
  return (await ruledFault(tx, { dialect, operation: 'notification' })) as NotificationFault | null;
}
