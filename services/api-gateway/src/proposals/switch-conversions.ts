import { getConversionSwitch, setConversionSwitch } from '@gateway/contracts/conversions';
import { DomainError } from '@gateway/contracts/errors';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentConversionSwitch } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { auditAcross, type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

const ledgerTimeoutMs = 4_000;
const timeout = { timeoutMs: ledgerTimeoutMs };

/** There is one switch, for live conversions of all accounts. */
const target = 'live/conversions';

interface Services {
  readonly database: Database;
  readonly bus: Askable;
}

interface SwitchingOn {
  readonly live: 'on';
  /** Of the switch that the proposer saw. */
  readonly version: number;
}

/**
 * Proposes that live keys may convert: the operator then owes the USDT, so it takes two.
 *
 * @throws DomainError INVALID_STATE where they may already, or where the deployment does not allow it
 */
export async function proposeSwitchingOn(
  { database, bus }: Services,
  act: OperatorAct,
  reason: string,
): Promise<Approval> {
  const { switch: found } = await callRpc(bus, getConversionSwitch, {}, timeout);
  if (!found.allowed) {
    throw new DomainError('INVALID_STATE', 'this deployment does not allow live conversions: LIVE_CONVERSIONS is off');
  }
  if (found.live === 'on') throw new DomainError('INVALID_STATE', 'live conversions are on');
  const subject = { kind: 'live-conversions.switch-on', environment: 'live', accountId: null, target } as const;
  const request: SwitchingOn = { live: 'on', version: found.version };
  const proposal = { ...subject, request, before: presentConversionSwitch(found), reason };
  return await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
}

/** Carried out by the ledger, unless the switch was set since the proposal; asked again, it finds that it was. */
export function switchingOnRules(bus: Bus): ApprovalRules {
  const apply = async ({ request, before, reason, approvedBy }: Approval) => {
    const { live, version } = request as unknown as SwitchingOn;
    const wanted = { live, by: approvedBy ?? '', reason: reason ?? '', ifVersion: version };
    const after = presentConversionSwitch((await callRpc(bus, setConversionSwitch, wanted, timeout)).after);
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'live-conversions.switch-on', target, before: before ?? null, after });
      return { outcome: after };
    };
  };
  return { apply };
}

/** At once and by one operator, also where they are off: a proposal to switch them on is then not carried out any more. */
export async function switchOff({ database, bus }: Services, act: OperatorAct, reason: string): Promise<object> {
  const wanted = { live: 'off', by: act.operator, reason, ifVersion: null } as const;
  const { after } = await auditAcross(database, act, { action: 'live-conversions.switch-off', target }, async () => {
    const changed = await callRpc(bus, setConversionSwitch, wanted, timeout);
    return { before: presentConversionSwitch(changed.before), after: presentConversionSwitch(changed.after) };
  });
  return after;
}
