import { type DeadLetter, deadLetterRpcs, type OpenedDeadLetter } from '@gateway/contracts/broker';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { type ServiceName, serviceNames } from '@gateway/contracts/messages';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import { isId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import { presentDeadLetter } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

const ownerTimeoutMs = 8_000;

/**
 * That a message which no service could handle is of no consequence, for another operator to approve. It waits until then,
 * and may be retried.
 *
 * @throws NotFoundError
 * @throws DomainError INVALID_STATE for one that is decided already
 */
export async function proposeDiscarding(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  id: string,
  reason: string,
): Promise<Approval> {
  const letter = await openDeadLetter(bus, id);
  if (letter.status !== 'WAITING') throw new DomainError('INVALID_STATE', `the dead letter is ${letter.status}`);
  const { service, consumer, subject } = letter;
  const subjects = { kind: 'dead-letter.discard', environment: null, accountId: null, target: id } as const;
  const proposal = { ...subjects, request: { dead_letter_id: id, service, consumer, subject }, reason };
  const before = presentDeadLetter(letter);
  return await database.transaction(async (tx) => proposeApproval(tx, act, { ...proposal, before }));
}

/** Carried out by the service that has the dead letter; asked again, it finds that it was. */
export function discardingRules(bus: Bus): ApprovalRules {
  const apply = async (approval: Approval) => {
    const { target, before } = approval;
    const discarded = presentDeadLetter(await discard(bus, approval));
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'dead-letter.discard', target, before: before ?? null, after: discarded });
      return { outcome: discarded };
    };
  };
  return { apply };
}

/** @throws DomainError INVALID_STATE for one that was decided otherwise since the proposal */
async function discard(bus: Bus, { target: id, request, approvedBy }: Approval): Promise<DeadLetter> {
  const rpcs = deadLetterRpcs(request['service'] as ServiceName);
  const operator = approvedBy ?? '';
  const timeout = { timeoutMs: ownerTimeoutMs };
  try {
    return (await callRpc(bus, rpcs.discard, { id, operator }, timeout)).deadLetter;
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'INVALID_STATE')) throw error;
    const { deadLetter } = await callRpc(bus, rpcs.open, { id }, timeout);
    if (deadLetter.status !== 'DISCARDED' || deadLetter.decidedBy !== operator) throw error;
    return deadLetter;
  }
}

/**
 * A dead letter with its message, from whichever service keeps it.
 *
 * @throws NotFoundError when no service has it
 * @throws DomainError SERVICE_UNAVAILABLE when one that does not answer may have it
 */
export async function openDeadLetter(bus: Askable, id: string): Promise<OpenedDeadLetter> {
  if (!isId('deadLetter', id)) throw new NotFoundError('dead letter');
  const asked = serviceNames.map((name) => callRpc(bus, deadLetterRpcs(name).open, { id }));
  const answers = await Promise.allSettled(asked);
  const found = answers.find((answer) => answer.status === 'fulfilled');
  if (found) return found.value.deadLetter;
  for (const answer of answers) {
    const reason: unknown = answer.status === 'rejected' ? answer.reason : undefined;
    if (!(reason instanceof DomainError && reason.code === 'NOT_FOUND')) throw reason;
  }
  throw new NotFoundError('dead letter');
}
