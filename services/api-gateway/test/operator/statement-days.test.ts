import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import { closeStatementDay, listStatementDays, type StatementDay } from '@gateway/contracts/reconciler';
import { answering } from '@gateway/messaging';
import { statementDay } from '../harness/resolving-reconciler.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
let known: StatementDay;
let closed: RequestOf<typeof closeStatementDay>[] = [];
let refusal: DomainError | undefined;

beforeAll(async () => {
  gateway = await startGateway([
    answering(listStatementDays, async () => ({ days: [known], nextCursor: null })),
    answering(closeStatementDay, async (request) => {
      closed.push(request);
      if (refusal) throw refusal;
      known = { ...known, state: 'CLOSED', closedBy: request.operator };
      return { day: known };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  known = { ...statementDay, state: 'OPEN', closedBy: null };
  closed = [];
  refusal = undefined;
});

const path = '/ops/statement-days/efi/BRL/2026-01-02/close';
const propose = (body: object = { reason: 'the bank has no more of it' }, at = path) =>
  gateway.asOperator('POST', at, { body });

describe('a day that does not close by itself', () => {
  test('takes two operators: the one who proposes it closes nothing', async () => {
    const { status, body } = await propose();
    expect(status).toBe(202);
    expect(body.approval).toMatchObject({
      ...{ kind: 'statement-day.close', target: 'efi/BRL/2026-01-02', reason: 'the bank has no more of it' },
      ...{ proposed_by: 'ana', before: { status: 'OPEN', closing_cents: 5 } },
    });
    const approve = `/ops/approvals/${body.approval.id}/approve`;
    const alone = await gateway.asOperator('POST', approve);
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(closed).toEqual([]);
    const approved = await gateway.asSecond('POST', approve);
    expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: { status: 'CLOSED' } });
    expect(closed).toEqual([{ provider: 'efi', currency: 'BRL', day: '2026-01-02', operator: 'ana, bruno' }]);
    const { body: trail } = await gateway.asOperator('GET', '/ops/audit?target=efi/BRL/2026-01-02');
    expect(trail.data).toMatchObject([
      { operator: 'bruno', action: 'statement-day.close', before: { status: 'OPEN' }, after: { status: 'CLOSED' } },
    ]);
  });

  test('stays open when the reconciler refuses to close it', async () => {
    const { body } = await propose();
    refusal = new DomainError('INVALID_STATE', 'the day is not over');
    const approved = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
    expect([approved.status, approved.body.error.message]).toEqual([409, 'the day is not over']);
    expect((await gateway.asOperator('GET', `/ops/approvals/${body.approval.id}`)).body.approval.state).toBe('FAILED');
  });

  test('whose difference has grown since is not closed: the approver has not seen it', async () => {
    const { body } = await propose();
    known = { ...known, lines: 4, closing: 4 };
    const approved = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
    expect([approved.status, approved.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(closed).toEqual([]);
  });

  test('that was closed by an attempt which ended before its answer is closed', async () => {
    const { body } = await propose();
    known = { ...known, lines: 4, closing: 4, state: 'CLOSED', closedBy: 'ana, bruno' };
    const approved = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
    expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: { closing_cents: 4 } });
  });

  test('needs a reason, and is the one that is closed next', async () => {
    const unreasoned = await propose({});
    expect([unreasoned.status, unreasoned.body.error.details.map((detail) => detail.path)]).toEqual([400, ['reason']]);
    expect((await propose(undefined, path.replace('01-02', '01-03'))).status).toBe(404);
    known = statementDay;
    expect((await propose()).body.error.code).toBe('INVALID_STATE');
  });
});
