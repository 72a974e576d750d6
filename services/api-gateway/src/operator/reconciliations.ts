import { compareProviderBalances } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import { getReconciliation, listReconciliations, runReconciliation } from '@gateway/contracts/ledger';
import { sweepMatches } from '@gateway/contracts/reconciler';
import { type Askable, callRpc } from '@gateway/messaging';
import {
  presentReconciliation,
  reconciliationResourceSchema,
  reconciliationsQuerySchema,
  secondsOfPeriod,
} from '@gateway/public-api';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';

/** Every row of the ledger is read. */
const runTimeoutMs = 300_000;
/** The slowest provider is waited for, its list of changes, and then what is on its way. */
const compareTimeoutMs = 40_000;
/** Every match that is late gets its exception, and days that agree are closed. */
const sweepTimeoutMs = 40_000;

export const reconciliationEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/reconciliations',
    operation: 'runReconciliation',
    permission: 'operations:write',
    summary: 'Reconcile the whole ledger now, and compare it with what the providers hold',
    description:
      'Reads the whole ledger, proves that it agrees with itself, and compares it with what the providers hold; movements ' +
      'whose time to be explained is over become exceptions, and days of statements that agree are closed. ' +
      'It takes from seconds to minutes, and answers when it is done.',
    timeoutMs: compareTimeoutMs + sweepTimeoutMs + runTimeoutMs,
    answers: { 201: reconciliationResourceSchema },
    handle: async (call, { bus, database }) => {
      const change = { action: 'reconciliation.run', target: 'ledger' } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        await compareNow(bus);
        await sweepNow(bus);
        const run = presentReconciliation(await callRpc(bus, runReconciliation, {}));
        return { before: null, after: run, target: run.id };
      });
      return { status: 201, body: after };
    },
  }),
  operatorList({
    path: '/ops/reconciliations',
    operation: 'listReconciliations',
    permission: 'operations:read',
    summary: 'List reconciliations, newest first',
    description: 'Answers with the reconciliations that were run, newest first, each with the result of every check.',
    query: reconciliationsQuerySchema,
    name: 'reconciliations',
    schema: reconciliationResourceSchema,
    page: async ({ query: { status, ...period } }, { bus }, page) => {
      const request = { status, ...secondsOfPeriod(period), ...page };
      const { reconciliations, nextCursor } = await callRpc(bus, listReconciliations, request);
      return { data: reconciliations.map(presentReconciliation), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/reconciliations/:id',
    operation: 'getReconciliation',
    permission: 'operations:read',
    summary: 'Read a reconciliation',
    description: 'Answers with a reconciliation that was run, and the result of each of its checks.',
    answers: { 200: reconciliationResourceSchema },
    handle: async (call, { bus }) => {
      const { reconciliation } = await callRpc(bus, getReconciliation, { id: idIn(call, 'reconciliation') });
      return { status: 200, body: presentReconciliation(reconciliation) };
    },
  }),
];

/** Without an answer the proof goes by the last comparison, and says when that was. */
async function compareNow(bus: Askable): Promise<void> {
  await callRpc(bus, compareProviderBalances, {}, { timeoutMs: compareTimeoutMs }).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });
}

/** Matching goes on by itself: without an answer nothing of the proof is missing. */
async function sweepNow(bus: Askable): Promise<void> {
  await callRpc(bus, sweepMatches, {}, { timeoutMs: sweepTimeoutMs }).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });
}
