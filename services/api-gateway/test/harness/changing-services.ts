import { deadLetterRpcs, type DeadLetter } from '@gateway/contracts/broker';
import { listIntegrations, removeIntegration, setIntegration, type Integration } from '@gateway/contracts/connector';
import {
  confirmInvitation,
  type Invitation,
  listInvitations,
  listPeople,
  revokeInvitation,
} from '@gateway/contracts/identity';
import {
  confirmEvidence,
  findContestedPayment,
  getOperatorDispute,
  getReturn,
  listProviders,
  type Provider,
  retryOrphanReceipt,
  updateProvider,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { listCheckpointKeys, rotateCheckpointKey, runReconciliation } from '@gateway/contracts/ledger';
import { serviceNames } from '@gateway/contracts/messages';
import { approvePayout, getOperatorPayout, refusePayout } from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { answering, type RpcRoute } from '@gateway/messaging';
import { colleagueIn, operator, operatorPayoutOf } from './records.ts';
import { contestedBy, letterOf, operatorDisputeOf, orphanReceiptOf } from './returned-money.ts';
import { operatorTokens, type GatewayUnderTest } from './start-gateway.ts';

/** Runs when another service is asked, before it answers: may look around, may refuse. */
export type WhenAsked = () => Promise<void>;

const createdAt = 1_767_000_000;
const payout = operatorPayoutOf({ status: 'PENDING' });
const stuck = operatorPayoutOf({ status: 'PROCESSING' });
const provider: Provider = {
  ...{ environment: 'live', id: 'efi', enabled: true, weight: 1, healthy: true },
  ...{ certificateEndsAt: null, paymentMethods: ['PIX'], balances: [] },
};
const receipt = orphanReceiptOf({ state: 'FAILED', failure: 'closed' });
export const dispute = operatorDisputeOf({ attentionAt: '2026-01-02T11:00:00.000Z', attention: 'evidence' });
const enrolled = {
  ...{ id: newId('person'), realm: 'merchant' as const, name: 'olga.dias', state: 'INVITED' as const, roles: [] },
  ...{ memberships: [], passkeys: 1, hasPassword: false, lastSignInAt: null, createdAt },
};
const invitation: Invitation = {
  ...{ id: newId('invitation'), realm: 'merchant', name: 'olga.dias', roles: [], membership: null, state: 'ACCEPTED' },
  ...{ purpose: 'invitation', invitedBy: 'bootstrap', personId: enrolled.id, passkeyLabel: 'laptop', subject: null },
  ...{ createdAt, endsAt: createdAt },
};
const letter: DeadLetter = {
  ...{ id: newId('deadLetter'), service: 'deposits', consumer: 'c', stream: 'S', subject: 's', reason: 'bad luck' },
  ...{ deliveries: 3, status: 'WAITING', createdAt, decidedAt: null, decidedBy: null },
};

/** The services operators' changes are made by. */
export function changingServices(whenAsked: WhenAsked): RpcRoute[] {
  const integration = { id: newId('integration'), createdAt };
  const check = {
    name: 'chain_intact',
    environment: 'live',
    status: 'OK',
    examined: 5,
    findings: [] as string[],
  } as const;
  const change = async <T>(changed: T): Promise<T> => {
    await whenAsked();
    return changed;
  };
  return [
    answering(approvePayout, () => change({ before: payout, payout: { ...payout, status: 'PROCESSING' as const } })),
    answering(refusePayout, () => change({ before: payout, payout: { ...payout, status: 'REJECTED' as const } })),
    answering(getReturn, async () => ({ kind: 'orphan_receipt' as const, record: receipt })),
    answering(getOperatorDispute, async () => ({ dispute })),
    answering(findContestedPayment, async () => contestedBy(dispute)),
    answering(confirmEvidence, () =>
      change({ before: dispute, dispute: { ...dispute, attentionAt: null, attention: null } }),
    ),
    answering(getOperatorPayout, async () => ({ payout: stuck })),
    answering(listProviders, async () => ({ providers: [provider] })),
    answering(updateProvider, () => change({ before: provider, provider: { ...provider, enabled: false } })),
    answering(listIntegrations, async () => ({ integrations: [] })),
    answering(removeIntegration, (request) => {
      const rest = { ipAllowlist: [], payoutsEnabled: false };
      return change({ before: { ...integration, ...request, ...rest } });
    }),
    answering(setIntegration, (request) => {
      const before: Integration = { ...integration, ...request, payoutsEnabled: true };
      return change({ before, integration: { ...integration, ...request } });
    }),
    answering(runReconciliation, () =>
      change({
        ...{ id: newId('reconciliation'), status: 'OK' as const, checks: [{ ...check, findings: [] }] },
        ...{ startedAt: createdAt, finishedAt: createdAt + 1, signedOff: null },
      }),
    ),
    answering(listCheckpointKeys, async () => ({ keys: [checkpointKey] })),
    answering(rotateCheckpointKey, () =>
      change({ keys: [checkpointKey, { ...checkpointKey, number: 2, endorsement: 'by the first' }] }),
    ),
    answering(retryOrphanReceipt, () =>
      change({ before: receipt, receipt: { ...receipt, state: 'RETURNING' as const } }),
    ),
    answering(listPeople, async ({ accountId }) => ({ people: [accountId ? colleagueIn(accountId) : operator] })),
    answering(listInvitations, async () => ({ invitations: [invitation] })),
    answering(confirmInvitation, () => change({ person: enrolled })),
    answering(revokeInvitation, () => change({ invitation })),
    ...serviceNames.flatMap((name) => [
      answering(deadLetterRpcs(name).open, async () => {
        if (name !== letter.service) throw new NotFoundError('dead letter');
        return { deadLetter: { ...letter, payload: '{}', headers: {} } };
      }),
      answering(deadLetterRpcs(name).retry, () =>
        change({ before: letter, deadLetter: { ...letter, status: 'RETRIED' as const } }),
      ),
    ]),
  ];
}

/** One call of an operation, and the trace it leaves; members of `before` and `after` that show what changed. */
export interface AuditedOperation {
  readonly path: string;
  readonly body?: object | string;
  /** By which token; by default that of ana. */
  readonly headers?: Record<string, string>;
  readonly action: string;
  readonly before: object | null;
  readonly after: object | null;
  /** Actions of further rows: a change by two operators leaves those of its approval as well. */
  readonly also?: readonly string[];
}

/** By method and path as declared. */
export type OperationTable = Readonly<
  Record<string, (gateway: GatewayUnderTest) => Promise<AuditedOperation> | AuditedOperation>
>;

/** The gateway makes these changes itself, in one transaction with their trace. */
export const ownOperations: OperationTable = {
  'POST /ops/accounts': () => ({
    ...{ path: '/ops/accounts', body: { name: 'Loja' }, action: 'account.create' },
    ...{ before: null, after: { name: 'Loja' } },
  }),
  'PATCH /ops/accounts/:id': async (gateway) => ({
    ...{
      path: `/ops/accounts/${(await gateway.newAccount()).id}`,
      body: { retention_days: 2 },
      action: 'account.update',
    },
    ...{ before: { retention_days: 0 }, after: { retention_days: 2 } },
  }),
  'POST /ops/accounts/:id/keys': async (gateway) => ({
    ...{ path: `/ops/accounts/${(await gateway.newAccount()).id}/keys`, body: { environment: 'test' } },
    ...{ action: 'key.issue', before: null, after: { environment: 'test', revoked_at: null } },
  }),
  'POST /ops/accounts/:id/first-owner': async (gateway) => ({
    ...{ path: `/ops/accounts/${(await gateway.newAccount()).id}/first-owner`, body: { name: 'olga.dias' } },
    ...{ action: 'approval.propose', before: null, after: { kind: 'account.first-owner', state: 'PROPOSED' } },
  }),
  'PUT /ops/keys/:publicKey/allowlist': async (gateway) => ({
    path: `/ops/keys/${(await gateway.newAccount()).test.public_key}/allowlist`,
    ...{ body: { entries: ['203.0.113.7'], reason: 'locked out' }, action: 'approval.propose', before: null },
    after: { kind: 'key.allowlist', state: 'PROPOSED' },
  }),
  'DELETE /ops/keys/:publicKey': async (gateway) => ({
    ...{ path: `/ops/keys/${(await gateway.newAccount()).test.public_key}`, action: 'key.revoke' },
    ...{ before: { revoked_at: null }, after: { environment: 'test' } },
  }),
  'POST /ops/adjustments': async (gateway) => ({
    ...{ path: '/ops/adjustments', body: adjustmentOf((await gateway.newAccount()).id) },
    ...{ action: 'adjustment.propose', before: null, after: { status: 'PROPOSED', amount_cents: 250 } },
    also: ['approval.propose'],
  }),
  'POST /ops/approvals/:id/reject': async (gateway) => ({
    ...{ path: `/ops/approvals/${await proposedKey(gateway)}/reject`, action: 'approval.withdraw' },
    ...{ before: { state: 'PROPOSED' }, after: { state: 'WITHDRAWN', decided_by: 'ana' } },
  }),
  'POST /ops/approvals/:id/withdraw': async (gateway) => ({
    ...{ path: `/ops/approvals/${await proposedKey(gateway)}/withdraw`, action: 'approval.withdraw' },
    ...{ before: { state: 'PROPOSED' }, after: { state: 'WITHDRAWN', decided_by: 'ana' } },
  }),
  'POST /ops/approvals/:id/refuse': async (gateway) => ({
    ...{ path: `/ops/approvals/${await proposedKey(gateway)}/refuse`, headers: brunos, action: 'approval.refuse' },
    ...{ before: { state: 'PROPOSED' }, after: { state: 'REFUSED', decided_by: 'bruno' } },
  }),
  'POST /ops/adjustments/:id/withdraw': async (gateway) => ({
    ...{ path: `/ops/adjustments/${await proposedAdjustment(gateway)}/withdraw`, action: 'adjustment.withdraw' },
    ...{ before: { status: 'PROPOSED' }, after: { status: 'WITHDRAWN' }, also: ['approval.withdraw'] },
  }),
  'POST /ops/adjustments/:id/refuse': async (gateway) => ({
    ...{ path: `/ops/adjustments/${await proposedAdjustment(gateway)}/refuse`, headers: brunos },
    ...{ action: 'adjustment.refuse', before: { status: 'PROPOSED' }, after: { status: 'REJECTED' } },
    also: ['approval.refuse'],
  }),
  'POST /ops/dead-letters/:id/discard': () => ({
    ...{ path: `/ops/dead-letters/${letter.id}/discard`, body: { reason: 'repeated by its sender' } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'dead-letter.discard', target: letter.id, state: 'PROPOSED' },
  }),
  'POST /ops/payouts/:id/resolve': () => ({
    ...{ path: `/ops/payouts/${stuck.id}/resolve`, body: { outcome: 'paid', evidence: 'line 7' } },
    ...{ action: 'payout.propose-resolution', before: { resolution: null }, also: ['approval.propose'] },
    after: { resolution: { outcome: 'paid', proposed_by: 'ana' } },
  }),
  'POST /ops/refunds/:id/resolve': () => ({
    ...{ path: `/ops/refunds/${receipt.id}/resolve`, body: { outcome: 'failed', evidence: 'line 7' } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'refund.resolve', target: receipt.id, state: 'PROPOSED' },
  }),
  'POST /ops/disputes': () => ({
    ...{ path: '/ops/disputes', body: { ...letterOf(dispute), e2e_id: dispute.e2eId } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'dispute.enter', target: dispute.depositId, state: 'PROPOSED' },
  }),
  'POST /ops/disputes/:id/resolve': () => ({
    ...{ path: `/ops/disputes/${dispute.id}/resolve`, body: { outcome: 'stands', evidence: 'line 9' } },
    ...{ action: 'approval.propose', before: null },
    after: { kind: 'dispute.resolve', target: dispute.id, state: 'PROPOSED' },
  }),
  'POST /ops/approvals/:id/approve': async (gateway) => ({
    ...{ path: `/ops/approvals/${await proposedKey(gateway)}/approve`, headers: brunos, action: 'approval.approve' },
    ...{ before: { state: 'PROPOSED' }, after: { state: 'APPLIED', approved_by: 'bruno' }, also: ['key.issue'] },
  }),
};

const brunos = { authorization: `Bearer ${operatorTokens.bruno}` };

async function proposedKey(gateway: GatewayUnderTest): Promise<string> {
  const { id } = await gateway.newAccount();
  const live = { body: { environment: 'live' } };
  return (await gateway.asOperator('POST', `/ops/accounts/${id}/keys`, live)).body.approval.id;
}

async function proposedAdjustment(gateway: GatewayUnderTest): Promise<string> {
  const body = adjustmentOf((await gateway.newAccount()).id);
  return (await gateway.asOperator('POST', '/ops/adjustments', { body })).body.id;
}

/** The ledger carries these out. */
export const ledgerOperations: OperationTable = {
  'POST /ops/adjustments/:id/approve': async (gateway) => {
    const path = `/ops/adjustments/${await proposedAdjustment(gateway)}/approve`;
    return {
      ...{ path, headers: brunos, action: 'adjustment.approve' },
      before: { status: 'PROPOSED', approved_by: null },
      after: { status: 'APPLIED', approved_by: 'bruno' },
      also: ['approval.approve'],
    };
  },
};

/** Another service makes these changes when it is asked. */
export const operationsElsewhere: OperationTable = {
  'POST /ops/payouts/:id/approve': () => ({
    ...{ path: `/ops/payouts/${payout.id}/approve`, action: 'payout.approve' },
    ...{ before: { status: 'PENDING' }, after: { status: 'PROCESSING' } },
  }),
  'POST /ops/payouts/:id/refuse': () => ({
    ...{ path: `/ops/payouts/${payout.id}/refuse`, action: 'payout.refuse' },
    ...{ before: { status: 'PENDING' }, after: { status: 'REJECTED' } },
  }),
  'POST /ops/orphan-receipts/:id/retry': () => ({
    ...{ path: `/ops/orphan-receipts/${receipt.id}/retry`, action: 'orphan-receipt.retry' },
    ...{ before: { state: 'FAILED' }, after: { state: 'RETURNING' } },
  }),
  'POST /ops/disputes/:id/confirm-evidence': () => ({
    ...{ path: `/ops/disputes/${dispute.id}/confirm-evidence`, action: 'dispute.confirm-evidence' },
    ...{ before: { attention: 'evidence' }, after: { attention: null } },
  }),
  'PATCH /ops/providers/:id': () => ({
    ...{ path: '/ops/providers/efi', body: { enabled: false }, action: 'provider.update' },
    ...{ before: { enabled: true }, after: { enabled: false } },
  }),
  'PATCH /ops/providers/:environment/:id': () => ({
    ...{ path: '/ops/providers/live/efi', body: { enabled: false }, action: 'provider.update' },
    ...{ before: { enabled: true }, after: { enabled: false } },
  }),
  'DELETE /ops/compat/integrations': async (gateway) => ({
    path: `/ops/compat/integrations?account_id=${(await gateway.newAccount()).id}&prefix=alt`,
    ...{ action: 'integration.remove', before: { payouts_enabled: false }, after: { removed: true } },
  }),
  'POST /ops/compat/integrations': async (gateway) => ({
    ...{ path: '/ops/compat/integrations', action: 'integration.set' },
    body: { account_id: (await gateway.newAccount()).id, prefix: 'alt', payouts_enabled: false },
    ...{ before: { payouts_enabled: true }, after: { payouts_enabled: false } },
  }),
  'POST /ops/accounts/:id/first-owner/confirm': async (gateway) => ({
    ...{ path: `/ops/accounts/${(await gateway.newAccount()).id}/first-owner/confirm`, action: 'first-owner.confirm' },
    ...{ body: { invitation_id: invitation.id }, before: { state: 'ACCEPTED' }, after: { name: 'olga.dias' } },
  }),
  'POST /ops/accounts/:id/first-owner/revoke': async (gateway) => ({
    ...{ path: `/ops/accounts/${(await gateway.newAccount()).id}/first-owner/revoke`, action: 'first-owner.revoke' },
    ...{ body: { invitation_id: invitation.id }, before: { state: 'ACCEPTED' }, after: { name: 'olga.dias' } },
  }),
  'POST /ops/invitations/:id/confirm': () => ({
    ...{ path: `/ops/invitations/${invitation.id}/confirm`, action: 'person.confirm-invitation' },
    ...{ before: { state: 'ACCEPTED' }, after: { name: 'olga.dias' } },
  }),
  'POST /ops/invitations/:id/revoke': () => ({
    ...{ path: `/ops/invitations/${invitation.id}/revoke`, action: 'person.revoke-invitation' },
    ...{ before: { state: 'ACCEPTED' }, after: { name: 'olga.dias' } },
  }),
  'POST /ops/reconciliations': () => ({
    ...{ path: '/ops/reconciliations', action: 'reconciliation.run' },
    ...{ before: null, after: { status: 'OK' } },
  }),
  'POST /ops/dead-letters/:id/retry': () => ({
    ...{ path: `/ops/dead-letters/${letter.id}/retry`, action: 'dead-letter.retry' },
    ...{ before: { status: 'WAITING' }, after: { status: 'RETRIED' } },
  }),
};

const checkpointKey = {
  ...{ environment: 'test' as const, shard: 0, number: 1, text: 'pay.example.com/ledger/test.0+0d1da8bb+AfVw' },
  ...{ createdAt, retiredAt: null, endorsement: null, second: null },
};

function adjustmentOf(account_id: string) {
  const correction = { environment: 'test', currency: 'BRL', amount_cents: 250, reason: 'a correction' };
  return { account_id, ...correction, external_id: newId('request') };
}
