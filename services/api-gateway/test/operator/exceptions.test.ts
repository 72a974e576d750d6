import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getAuditedAdjustments } from '@gateway/contracts/accounts';
import { listExceptions, listLines, listStatementDays } from '@gateway/contracts/reconciler';
import { answering, callRpc, LedgerCommandClient } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { eventually, silentLogger } from '@gateway/test-kit';
import type { RulesByKind } from '#src/approvals/approval.ts';
import { approve as decideApproval } from '#src/approvals/decide-approval.ts';
import { exceptionRules } from '#src/proposals/resolve-exception.ts';
import { endingAtRecord } from '../harness/ending-process.ts';
import { ResolvingReconciler } from '../harness/resolving-reconciler.ts';
import { ScriptedLedger } from '../harness/scripted-ledger.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const reconciler = new ResolvingReconciler();
const asked: object[] = [];
let ledger: ScriptedLedger;
let gateway: GatewayUnderTest;
let accountId: string;
const stopping = new AsyncDisposableStack();

beforeAll(async () => {
  const keep = <Answer>(request: object, answer: Answer) => {
    asked.push(request);
    return Promise.resolve(answer);
  };
  gateway = stopping.use(
    await startGateway([
      ...reconciler.routes(),
      answering(listExceptions, (request) => keep(request, { exceptions: [], nextCursor: null })),
      answering(listLines, (request) => keep(request, { lines: [], nextCursor: null })),
      answering(listStatementDays, (request) => keep(request, { days: [], nextCursor: null })),
    ]),
  );
  accountId = (await gateway.newAccount()).id;
  ledger = stopping.use(await ScriptedLedger.start(gateway, 'test'));
});
afterAll(async () => stopping.disposeAsync());
beforeEach(() => {
  ledger.forget();
  asked.length = 0;
  reconciler.asked.length = 0;
});

const foreign = { action: 'foreign', note: 'the owner paid in' };
const adjust = () => ({
  action: 'adjust',
  note: 'the payer is our merchant',
  account_id: accountId,
  amount_cents: 250,
});
const propose = (id: string, body: object = foreign) =>
  gateway.asOperator('POST', `/ops/exceptions/${id}/propose`, { body });
const decide = async (id: string, how: 'approve' | 'reject' = 'approve') => {
  const { body } = await gateway.asOperator('GET', `/ops/exceptions/${id}`);
  const decision = { approval_id: body.exception.proposal.approval_id, reason: 'it is ours' };
  return await gateway.asSecond('POST', `/ops/exceptions/${id}/${how}`, { body: decision });
};
const approve = (id: string) => decide(id);

describe('an exception', () => {
  test('is resolved by another operator than the one who proposes it', async () => {
    const { id } = reconciler.open();
    const proposed = await propose(id);
    expect(proposed).toMatchObject({ status: 202, body: { status: 'PROPOSED', approval: { proposed_by: 'ana' } } });
    const decision = { approval_id: proposed.body.approval.id };
    const alone = await gateway.asOperator('POST', `/ops/exceptions/${id}/approve`, { body: decision });
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(reconciler.find(id).state).toBe('PROPOSED');
    const approved = await approve(id);
    expect(approved).toMatchObject({ status: 200, body: { status: 'RESOLVED', resolved_by: 'bruno' } });
    expect((await gateway.asOperator('GET', `/ops/exceptions/${id}`)).body).toMatchObject({
      exception: { status: 'RESOLVED', proposal: { action: 'foreign', note: 'the owner paid in', with: null } },
    });
    expect(ledger.commands).toEqual([]);
  });

  test('takes one proposal at a time, also of two operators at once', async () => {
    const { id } = reconciler.open();
    const answers = await Promise.all([
      propose(id),
      gateway.asSecond('POST', `/ops/exceptions/${id}/propose`, { body: foreign }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect((await propose(id)).body.error.code).toBe('INVALID_STATE');
  });

  test('is open again when its proposal is rejected, by this path or that of the approval', async () => {
    const { id } = reconciler.open();
    const { body } = await propose(id);
    await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/refuse`);
    await eventually(async () => expect(reconciler.find(id).state).toBe('OPEN'));
    expect((await propose(id)).status).toBe(202);
    const rejected = await decide(id, 'reject');
    expect(rejected).toMatchObject({ status: 200, body: { status: 'OPEN', approval: { state: 'REFUSED' } } });
    const decision = { approval_id: rejected.body.approval.id };
    const late = await gateway.asSecond('POST', `/ops/exceptions/${id}/approve`, { body: decision });
    expect([late.status, late.body.error.code]).toEqual([409, 'INVALID_STATE']);
  });

  test('that is not there is 404, and one without proposal is not decided', async () => {
    const { id } = reconciler.open();
    for (const step of ['approve', 'reject']) {
      const body = { approval_id: newId('approval') };
      const path = (of: string) => `/ops/exceptions/${of}/${step}`;
      expect((await gateway.asSecond('POST', path(newId('exception')), { body })).status).toBe(404);
      expect((await gateway.asSecond('POST', path('nonsense'), { body })).status).toBe(404);
      expect((await gateway.asSecond('POST', path(id), { body })).body.error.code).toBe('INVALID_STATE');
    }
    expect((await propose(newId('exception'))).status).toBe(404);
  });

  test('whose sides have changed since is not resolved, and shows what is still proposed', async () => {
    const { id } = reconciler.open();
    const { body } = await propose(id, adjust());
    reconciler.change(id, { lineAmount: 260, state: 'OPEN', proposal: null, proposedBy: null });
    const { body: changed } = await gateway.asOperator('GET', `/ops/exceptions/${id}`);
    expect(changed.exception).toMatchObject({
      ...{ status: 'OPEN', line_cents: 260, proposed_by: 'ana' },
      proposal: { approval_id: body.approval.id, amount_cents: 250 },
    });
    expect((await approve(id)).body.error.code).toBe('INVALID_STATE');
    expect(ledger.commands).toEqual([]);
  });

  test('is decided by the proposal that was read, and by no other that took its place since', async () => {
    const { id } = reconciler.open();
    const { body: first } = await propose(id, adjust());
    const { body: read } = await gateway.asSecond('GET', `/ops/exceptions/${id}`);
    expect(read.exception.proposal).toEqual({
      ...{ approval_id: first.approval.id, action: 'adjust', note: 'the payer is our merchant', with: null },
      ...{ amount_cents: 250, currency: 'BRL', account_id: accountId },
    });
    await gateway.asOperator('POST', `/ops/approvals/${first.approval.id}/withdraw`);
    const { body: second } = await propose(id, { ...adjust(), amount_cents: 25_000 });
    const decision = { approval_id: read.exception.proposal.approval_id };
    for (const step of ['approve', 'reject']) {
      const { status, body } = await gateway.asSecond('POST', `/ops/exceptions/${id}/${step}`, { body: decision });
      expect([status, body.error.code]).toEqual([409, 'INVALID_STATE']);
    }
    const other = reconciler.open();
    const { body: elsewhere } = await propose(other.id, adjust());
    const foreignDecision = { approval_id: elsewhere.approval.id };
    const wrong = await gateway.asSecond('POST', `/ops/exceptions/${id}/approve`, { body: foreignDecision });
    expect([wrong.status, wrong.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect([reconciler.find(id).state, reconciler.find(other.id).state, ledger.commands]).toEqual([
      'PROPOSED',
      'PROPOSED',
      [],
    ]);
    const { body: now } = await gateway.asSecond('GET', `/ops/exceptions/${id}`);
    expect(now.exception.proposal).toMatchObject({ approval_id: second.approval.id, amount_cents: 25_000 });
    await approve(id);
    expect(ledger.commands).toMatchObject([{ id: `adjust:${id}`, amount: 25_000 }]);
  });

  test.each([[undefined], [{}], [{ reason: 'seen' }], [{ approval_id: null }]])(
    'is decided with %j by the proposal that waits, and by none where nothing does',
    async (body) => {
      const { id } = reconciler.open();
      const decided = async (step: string) =>
        await gateway.asSecond('POST', `/ops/exceptions/${id}/${step}`, body === undefined ? {} : { body });
      expect((await decided('approve')).body.error.code).toBe('INVALID_STATE');
      await propose(id);
      expect(await decided('reject')).toMatchObject({ status: 200, body: { status: 'OPEN' } });
      await propose(id);
      expect(await decided('approve')).toMatchObject({
        status: 200,
        body: { status: 'RESOLVED', resolved_by: 'bruno' },
      });
      expect((await decided('approve')).body.error.code).toBe('INVALID_STATE');
    },
  );

  test('is not decided by what is no id of an approval', async () => {
    const { id } = reconciler.open();
    await propose(id);
    for (const step of ['approve', 'reject']) {
      const body = { approval_id: 'apr_1' };
      const refused = await gateway.asSecond('POST', `/ops/exceptions/${id}/${step}`, { body });
      expect([refused.status, refused.body.error.details[0]?.path]).toEqual([400, 'approval_id']);
    }
    expect(reconciler.find(id).state).toBe('PROPOSED');
  });

  test.each([
    [{ action: 'guess' }, 'action'],
    [{ note: '' }, 'note'],
    [{ action: 'match' }, 'with'],
    [{ with: '7' }, 'with'],
    [{ ...foreign, amount_cents: 5 }, 'amount_cents'],
    [{ action: 'adjust', account_id: newId('account') }, 'amount_cents'],
    [{ action: 'adjust', amount_cents: 5, account_id: newId('account') }, 'account_id'],
    [{ action: 'adjust', amount_cents: 5 }, 'account_id'],
    [{ action: 'adjust', amount_cents: 1.5 }, 'amount_cents'],
  ])('is not proposed with %j, by name', async (members, path) => {
    const { id } = reconciler.open();
    const { status, body } = await propose(id, { ...foreign, ...members });
    expect([status, body.error.details.map((detail) => detail.path)]).toEqual([400, [path]]);
    expect(reconciler.find(id).state).toBe('OPEN');
  });
});

describe('an adjustment that resolves an exception', () => {
  test('is carried out once, under the id of the exception, and proven by the audit trail', async () => {
    const { id } = reconciler.open();
    await propose(id, adjust());
    expect(ledger.commands).toEqual([]);
    await Promise.all([approve(id), approve(id)]);
    const adjustmentId = `adj_${id.slice(4)}`;
    expect(new Set(ledger.commands.map((command) => JSON.stringify(command))).size).toBe(1);
    expect(ledger.commands[0]).toMatchObject({
      kind: 'adjust',
      id: `adjust:${id}`,
      adjustmentId,
      accountId,
      amount: 250,
    });
    const { body } = await gateway.asOperator('GET', `/ops/adjustments?account_id=${accountId}&status=APPLIED`);
    expect(body.data.filter((adjustment) => adjustment.id === adjustmentId)).toMatchObject([
      { amount_cents: 250, proposed_by: 'ana', approved_by: 'bruno', reason: 'the payer is our merchant' },
    ]);
    expect(await callRpc(gateway.bus, getAuditedAdjustments, { ids: [id] })).toEqual({
      adjustments: [
        {
          ...{ id, kind: 'adjust', environment: 'test', accountId, currency: 'BRL', amount: 250 },
          ...{ proposedBy: 'ana', approvedBy: 'bruno' },
        },
      ],
    });
  });

  test('which the ledger refuses leaves the exception open', async () => {
    ledger.decides = () => ({ outcome: 'refused', refusal: 'insufficient_funds' });
    const { id } = reconciler.open();
    await propose(id, { ...adjust(), amount_cents: -250 });
    expect((await approve(id)).body.error.code).toBe('INSUFFICIENT_FUNDS');
    expect(reconciler.find(id).state).toBe('OPEN');
    const { body } = await gateway.asOperator('GET', `/ops/adjustments?account_id=${accountId}`);
    expect(body.data.filter((adjustment) => adjustment.id === `adj_${id.slice(4)}`)).toEqual([]);
  });

  test('which was approved when the process ended is carried out by the next one, once', async () => {
    const { id } = reconciler.open();
    const { body } = await propose(id, adjust());
    await using ledgerClient = new LedgerCommandClient(gateway.bus);
    const act = { operator: 'bruno', may: () => true, requestId: 'the-approval', at: new Date(Date.now() - 60_000) };
    const rules = {
      'exception.resolve': exceptionRules({ bus: gateway.bus, ledgerClient, logger: silentLogger }),
    } as unknown as RulesByKind;
    const decision = { id: body.approval.id, reason: null };
    const dying = decideApproval({ database: endingAtRecord(gateway.database), rules }, act, decision);
    await expect(dying).rejects.toThrow('the process ends here');
    await eventually(async () => {
      const { body: approval } = await gateway.asOperator('GET', `/ops/approvals/${decision.id}`);
      expect(approval.approval).toMatchObject({ state: 'APPLIED', outcome: { id, status: 'RESOLVED' } });
    });
    expect(new Set(ledger.commands.map((command) => command.id))).toEqual(new Set([`adjust:${id}`]));
    const { body: all } = await gateway.asOperator('GET', `/ops/adjustments?account_id=${accountId}&limit=200`);
    expect(all.data.filter((adjustment) => adjustment.id === `adj_${id.slice(4)}`)).toHaveLength(1);
  });
});

test('the lists of exceptions, lines and days ask for what their filters say, and refuse others by name', async () => {
  const cursor = newId('exception');
  await gateway.asOperator(
    'GET',
    `/ops/exceptions?status=OPEN&provider=efi&reason=amount_differs&account_id=${accountId}&cursor=${cursor}&limit=3`,
  );
  await gateway.asOperator('GET', '/ops/lines?provider=efi&state=unexplained&e2e_id=E1&amount_cents=-500&limit=2');
  await gateway.asOperator('GET', '/ops/statement-days?provider=efi&cursor=efi%2FBRL%2F2026-01-02');
  expect(asked).toEqual([
    { state: 'OPEN', provider: 'efi', reason: 'amount_differs', accountId, cursor, limit: 3 },
    { provider: 'efi', state: 'unexplained', e2eId: 'E1', amount: -500, limit: 2 },
    { provider: 'efi', cursor: 'efi/BRL/2026-01-02', limit: 50 },
  ]);
  for (const [path, member] of [
    ['exceptions?status=LATE', 'status'],
    ['exceptions?cursor=nonsense', 'cursor'],
    ['lines?amount_cents=5,00', 'amount_cents'],
    ['lines?state=lost', 'state'],
    ['statement-days?limit=0', 'limit'],
  ]) {
    const { status, body } = await gateway.asOperator('GET', `/ops/${path}`);
    expect([status, body.error.details.map((detail) => detail.path)]).toEqual([400, [member]]);
  }
  for (const day of ['efi/BRL/2026-02-31x', 'efi/BRL/today', 'efi/brl/2026-01-02']) {
    const path = `/ops/statement-days/${day}/close`;
    expect((await gateway.asOperator('POST', path, { body: { reason: 'whatever' } })).status).toBe(404);
  }
});
