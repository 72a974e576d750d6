import {
  getReconciliation,
  listFindings,
  noteFinding,
  type Reconciliation,
  type ReconciliationFinding,
  signOffReconciliation,
} from '@gateway/contracts/ledger';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import { answering, type RpcRoute } from '@gateway/messaging';
import type { OperationTable } from './changing-services.ts';

const at = 1_767_000_000;
const check = { name: 'entries_equal_available', environment: 'live', examined: 5 } as const;

export const finding: ReconciliationFinding = {
  ...{ id: 'live.1', environment: 'live', kind: 'balance_differs', text: 'available 99, entries 100' },
  ...{ recordId: null, entryId: null, accountId: newId('account'), provider: null, currency: 'BRL' },
  ...{ expected: '100', found: '99', note: null },
};

/** A ledger that keeps reconciliations with what was found, for operators to answer for. */
export class ReconcilingLedger {
  readonly #known = new Map<string, Reconciliation>();
  /** What every check has found. */
  found: readonly ReconciliationFinding[] = [finding];
  readonly asked: object[] = [];

  made(status: Reconciliation['status']): Reconciliation {
    const findings = status === 'OK' ? [] : [finding.text];
    const times = { startedAt: at, finishedAt: at + 1, signedOff: null };
    const made: Reconciliation = {
      ...{ id: newId('reconciliation'), status, checks: [{ ...check, status, findings }], ...times },
    };
    this.#known.set(made.id, made);
    return made;
  }

  #find(id: string): Reconciliation {
    const known = this.#known.get(id);
    if (!known) throw new NotFoundError('reconciliation');
    return known;
  }

  routes(whenAsked: () => Promise<void> = async () => undefined): RpcRoute[] {
    return [
      answering(getReconciliation, async ({ id }) => ({ reconciliation: this.#find(id) })),
      answering(listFindings, async (request) => {
        this.asked.push(request);
        this.#find(request.id);
        return { findings: [...this.found], nextCursor: request.limit === 1 ? finding.id : null };
      }),
      answering(noteFinding, async ({ id, finding: of, note, by }) => {
        await whenAsked();
        this.#find(id);
        if (of !== finding.id) throw new NotFoundError('finding');
        return { before: finding, after: { ...finding, note: { text: note, by, at } } };
      }),
      answering(signOffReconciliation, async ({ id, ...signed }) => {
        await whenAsked();
        const before = this.#find(id);
        if (before.signedOff) throw new DomainError('INVALID_STATE', `was signed off by ${before.signedOff.by}`);
        const after = { ...before, signedOff: { ...signed, at } };
        this.#known.set(id, after);
        return { before, after };
      }),
    ];
  }
}

const ledger = new ReconcilingLedger();

export function signingOff(whenAsked: () => Promise<void>): RpcRoute[] {
  return ledger.routes(whenAsked);
}

/** What operators write down about a reconciliation. */
export const signOffOperations: OperationTable = {
  'POST /ops/reconciliations/:id/sign-off': () => ({
    ...{ path: `/ops/reconciliations/${ledger.made('OK').id}/sign-off`, body: { reason: 'all of it was read' } },
    ...{ action: 'reconciliation.sign-off', before: { signed_off: null }, after: { signed_off: { by: 'ana' } } },
  }),
  'POST /ops/reconciliations/:id/checks/:name/findings/:finding/note': () => {
    const { id } = ledger.made('DISCREPANCY');
    return {
      path: `/ops/reconciliations/${id}/checks/entries_equal_available/findings/live.1/note`,
      ...{ body: { note: 'asked the provider' }, action: 'reconciliation.note' },
      ...{ before: { note: null }, after: { note: { text: 'asked the provider', by: 'ana' } } },
    };
  },
};
