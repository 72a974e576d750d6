import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getAuditedAdjustments } from '@gateway/contracts/accounts';
import { bookApprovedFees, listProviders, type Provider } from '@gateway/contracts/deposits';
import { listVenues, treasuryAccountId } from '@gateway/contracts/ledger';
import { listLines, type ProviderLine } from '@gateway/contracts/reconciler';
import { answering, callRpc, LedgerCommandClient } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import type { RulesByKind } from '#src/approvals/approval.ts';
import { approve as decide } from '#src/approvals/decide-approval.ts';
import { ownTransferRules } from '#src/proposals/declare-own-transfer.ts';
import { endingAtRecord } from '../harness/ending-process.ts';
import { ResolvingReconciler } from '../harness/resolving-reconciler.ts';
import { ScriptedLedger } from '../harness/scripted-ledger.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const provider: Provider = {
  ...{
    environment: 'live',
    id: 'efi',
    enabled: true,
    weight: 1,
    healthy: true,
    certificateEndsAt: null,
    paymentMethods: ['PIX'],
    balances: [],
  },
};
const line: ProviderLine = {
  ...{ provider: 'efi', currency: 'BRL', lineKey: 'efi:7', kind: 'payment', amount: 900, e2eId: null, returnId: null },
  ...{
    bookedAt: '2026-01-02T10:00:00.000Z',
    receivedAt: '2026-01-02T10:00:00.000Z',
    ourRef: null,
    raw: null,
    rawBytes: null,
  },
  ...{ counterparty: null, text: null, source: 'list', fileId: null, subject: 'line:payment:efi:7', rule: null },
  state: 'waiting',
};
const reconciler = new ResolvingReconciler();
const fees: object[] = [];
let lines: ProviderLine[] = [];
let ledger: ScriptedLedger;
let gateway: GatewayUnderTest;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  gateway = stopping.use(
    await startGateway([
      ...reconciler.routes(),
      answering(listProviders, async () => ({ providers: [provider] })),
      answering(listVenues, async () => ({ venues: [] })),
      answering(listLines, async ({ lineKey, e2eId }) => ({
        lines: lines.filter(
          (each) => each.lineKey === (lineKey ?? each.lineKey) && each.e2eId === (e2eId ?? each.e2eId),
        ),
        nextCursor: null,
      })),
      answering(bookApprovedFees, async ({ fees: asked }) => {
        fees.push(...asked);
        return { booked: asked.map(({ lineId }) => lineId) };
      }),
    ]),
  );
  ledger = stopping.use(await ScriptedLedger.start(gateway, 'live'));
});
afterAll(async () => stopping.disposeAsync());
beforeEach(() => {
  ledger.forget();
  fees.length = 0;
  lines = [];
});

let references = 0;
const body = (members: object = {}) => ({
  ...{
    provider: 'efi',
    currency: 'BRL',
    amount_cents: 900,
    reference: `E900-${String(++references)}`,
    reason: 'a top-up',
  },
  ...members,
});
const propose = (wanted: object) => gateway.asOperator('POST', '/ops/own-transfers', { body: wanted });
const approve = (id: string) => gateway.asSecond('POST', `/ops/approvals/${id}/approve`);

describe('a transfer of our own', () => {
  test('is booked once another operator has approved it, between the provider and our own funds, once', async () => {
    const wanted = body();
    const proposed = await propose(wanted);
    expect(proposed).toMatchObject({ status: 202, body: { approval: { state: 'PROPOSED', proposed_by: 'ana' } } });
    expect((await propose(wanted)).body.error.code).toBe('INVALID_STATE');
    const { id } = proposed.body.approval;
    const alone = await gateway.asOperator('POST', `/ops/approvals/${id}/approve`);
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(ledger.commands).toEqual([]);
    await Promise.all([approve(id), approve(id)]);
    expect(new Set(ledger.commands.map((command) => JSON.stringify(command))).size).toBe(1);
    expect(ledger.commands[0]).toEqual({
      ...{ kind: 'own-funds', id: `own-funds:${id}`, environment: 'live', accountId: treasuryAccountId, amount: 900 },
      ...{ provider: 'efi', currency: 'BRL', lineId: null, reference: wanted.reference },
    });
    expect(await callRpc(gateway.bus, getAuditedAdjustments, { ids: [id] })).toEqual({
      adjustments: [
        {
          ...{ id, kind: 'own-funds', environment: 'live', accountId: treasuryAccountId, currency: 'BRL', amount: 900 },
          ...{ proposedBy: 'ana', approvedBy: 'bruno' },
        },
      ],
    });
  });

  test('whose line is there is booked by it, and only with the amount of a line that nothing else explains', async () => {
    lines = [line];
    const byLine = (members: object = {}) => body({ line_id: 'efi:7', reference: undefined, ...members });
    const { body: proposed } = await propose(byLine());
    await approve(proposed.approval.id);
    expect(ledger.commands).toMatchObject([{ id: 'own-funds:efi:7', lineId: 'efi:7', reference: null }]);
    for (const [wrong, known] of [
      [{ amount_cents: 901 }, line],
      [{ currency: 'MXN' }, line],
      [{ line_id: 'efi:8' }, line],
      [{}, { ...line, state: 'matched' as const }],
      [{}, { ...line, subject: 'payment:dep_1' }],
    ] as const) {
      lines = [known];
      const { status, body: refused } = await propose(byLine(wrong));
      expect([status, refused.error.details.map(({ path }) => path)]).toEqual([400, ['line_id']]);
    }
  });

  test('is not booked when something else explains its line by the time that it is approved', async () => {
    lines = [line];
    const { body: proposed } = await propose(body({ line_id: 'efi:7', reference: undefined }));
    for (const explained of [{ subject: 'payment:dep_1', state: 'matched' }, { state: 'proposed' }] as const) {
      lines = [{ ...line, ...explained }];
      const { body: again } = await propose(body({ line_id: 'efi:7', reference: undefined }));
      expect(again.error.code).toBe('VALIDATION_ERROR');
    }
    expect((await approve(proposed.approval.id)).body.error.code).toBe('INVALID_STATE');
    expect(ledger.commands).toEqual([]);
    const { body: known } = await gateway.asOperator('GET', `/ops/approvals/${proposed.approval.id}`);
    expect(known.approval.state).toBe('FAILED');
  });

  test('that is booked already is booked for good when its line was given to it before the approval is recorded', async () => {
    lines = [line];
    const { body: proposed } = await propose(body({ line_id: 'efi:7', reference: undefined }));
    lines = [{ ...line, subject: 'line:own_transfer:efi:7', state: 'matched', rule: 'people' }];
    expect((await approve(proposed.approval.id)).body.approval.state).toBe('APPLIED');
    expect(ledger.commands).toMatchObject([{ id: 'own-funds:efi:7' }]);
  });

  test.each([
    [{ provider: 'nosuch' }, 'provider'],
    [{ amount_cents: 0 }, 'amount_cents'],
    [{ amount_cents: 1.5 }, 'amount_cents'],
    [{ reference: 'short' }, 'reference'],
    [{ reference: null }, 'reference'],
    [{ line_id: 'efi:7' }, 'reference'],
    [{ reason: '' }, 'reason'],
  ])('is not proposed with %j, by name', async (members, path) => {
    const { status, body: refused } = await propose(body(members));
    expect([status, refused.error.details.map((detail) => detail.path)]).toEqual([400, [path]]);
  });

  test('is booked once for its reference, whoever proposes it again, and the refusal names the first', async () => {
    const wanted = body();
    const first = await propose(wanted);
    const { id } = first.body.approval;
    const isRefused = async (again: object, how: string) => {
      const { status, body: refused } = await gateway.asSecond('POST', '/ops/own-transfers', { body: again });
      expect([status, refused.error.code]).toEqual([409, 'INVALID_STATE']);
      expect(refused.error.message).toContain(`${how} ${id}`);
    };
    await isRefused({ ...wanted, amount_cents: 1 }, 'waits for another operator as');
    expect((await approve(id)).body.approval.state).toBe('APPLIED');
    await isRefused(wanted, 'was booked by');
    await isRefused({ ...wanted, reference: wanted.reference.toLowerCase() }, 'was booked by');
    expect((await propose({ ...wanted, currency: 'MXN' })).status).toBe(202);
    const again = body();
    const { body: withdrawn } = await propose(again);
    await gateway.asOperator('POST', `/ops/approvals/${withdrawn.approval.id}/withdraw`);
    expect((await propose(again)).status).toBe(202);
    const both = body();
    const answers = await Promise.all([propose(both), gateway.asSecond('POST', '/ops/own-transfers', { body: both })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(ledger.commands).toHaveLength(1);
  });

  test('is not booked by the id of a line that has been booked by itself, neither before its approval nor after', async () => {
    const { reference, ...others } = body({ reference: 'E12345678202601021004abcdef12345' });
    const booked: ProviderLine = { ...line, e2eId: reference, subject: 'line:own_transfer:efi:7', state: 'matched' };
    const { body: early } = await propose({ ...others, reference });
    lines = [booked];
    expect((await approve(early.approval.id)).body.error).toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining('efi:7') as string,
    });
    expect((await propose({ ...others, reference })).body.error.code).toBe('INVALID_STATE');
    expect(ledger.commands).toEqual([]);
    lines = [];
    const { body: next } = await propose({ ...others, reference });
    lines = [{ ...booked, subject: `line:own_transfer:${next.approval.id}` }];
    expect((await approve(next.approval.id)).body.approval.state).toBe('APPLIED');
  });

  test('which the ledger refuses is not booked, and can be proposed again', async () => {
    ledger.decides = () => ({ outcome: 'refused', refusal: 'unknown_provider' });
    const wanted = body();
    const { body: proposed } = await propose(wanted);
    expect((await approve(proposed.approval.id)).body.error.code).toBe('INVALID_STATE');
    expect((await propose(wanted)).status).toBe(202);
  });

  test('which was approved when the process ended is booked by the next one, under the same command', async () => {
    const { body: proposed } = await propose(body());
    await using ledgerClient = new LedgerCommandClient(gateway.bus);
    const rules = { 'own-transfer.declare': ownTransferRules({ bus: gateway.bus, ledgerClient }) };
    const act = { operator: 'bruno', may: () => true, requestId: 'the-approval', at: new Date(Date.now() - 60_000) };
    const decision = { id: proposed.approval.id, reason: null };
    const dying = { database: endingAtRecord(gateway.database), rules: rules as unknown as RulesByKind };
    await expect(decide(dying, act, decision)).rejects.toThrow('the process ends here');
    await eventually(async () => {
      const { body: known } = await gateway.asOperator('GET', `/ops/approvals/${decision.id}`);
      expect(known.approval).toMatchObject({ state: 'APPLIED', outcome: { command_id: `own-funds:${decision.id}` } });
    });
    expect(new Set(ledger.commands.map(({ id }) => id))).toEqual(new Set([`own-funds:${decision.id}`]));
  });
});

describe('a line that two operators declare', () => {
  const declared = async (members: Parameters<ResolvingReconciler['open']>[0], other?: string) => {
    const { id } = reconciler.open({ environment: 'live', lineAmount: 900, ...members });
    const wanted = { action: 'declare', note: 'seen at the bank', ...(other && { with: other }) };
    const proposed = await gateway.asOperator('POST', `/ops/exceptions/${id}/propose`, { body: wanted });
    expect([ledger.commands, fees]).toEqual([[], []]);
    const decision = { approval_id: proposed.body.approval.id };
    const approved = await gateway.asSecond('POST', `/ops/exceptions/${id}/approve`, { body: decision });
    return [approved.body.status, reconciler.find(id).state];
  };

  test.each([
    ['line:own_transfer:efi:1', undefined],
    ['line:payment:efi:2', 'own_transfer'],
  ])('and that is a transfer of our own is booked: %s', async (subject, other) => {
    expect(await declared({ subject }, other)).toEqual(['RESOLVED', 'RESOLVED']);
    const lineId = subject.split(':').slice(2).join(':');
    expect(ledger.commands).toMatchObject([{ kind: 'own-funds', id: `own-funds:${lineId}`, lineId, amount: 900 }]);
    expect(fees).toEqual([]);
    const { adjustments } = await callRpc(gateway.bus, getAuditedAdjustments, { ids: [lineId] });
    expect(adjustments).toMatchObject([
      { id: lineId, kind: 'own-funds', amount: 900, proposedBy: 'ana', approvedBy: 'bruno' },
    ]);
  });

  test('as a fee of the provider is booked as one', async () => {
    await declared({ subject: 'line:provider_fee:efi:3', lineAmount: -90 }, 'provider_fee');
    expect(fees).toEqual([{ provider: 'efi', currency: 'BRL', lineId: 'efi:3', amount: 90 }]);
    expect(ledger.commands).toEqual([]);
    expect(await callRpc(gateway.bus, getAuditedAdjustments, { ids: ['efi:3'] })).toEqual({ adjustments: [] });
  });

  test.each([
    [{ subject: 'line:provider_fee:efi:4' }],
    [{ subject: 'line:payment:efi:5' }],
    [{ subject: 'line:own_transfer:apr_1', lineAmount: 0, ledgerAmount: 900 }],
    [{ subject: 'line:own_transfer:efi:6', ledgerAmount: 901 }],
  ])('without saying as what, or that is booked already, is not booked: %j', async (members) => {
    expect(await declared(members)).toEqual(['RESOLVED', 'RESOLVED']);
    expect([ledger.commands, fees]).toEqual([[], []]);
  });

  test('and that the ledger refuses leaves the exception open', async () => {
    ledger.decides = () => ({ outcome: 'conflict', field: 'amount' });
    expect(await declared({ subject: 'line:own_transfer:efi:9' })).toEqual([undefined, 'OPEN']);
  });
});
