import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { listRecordLines } from '@gateway/contracts/reconciler';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { finding, ReconcilingLedger } from '../harness/signing-off.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const ledger = new ReconcilingLedger();
let gateway: GatewayUnderTest;
const [paid, unpaid] = [newId('deposit'), newId('deposit')];
/** What the reconciler was asked for; it does not answer while it is away. */
const askedFor: (readonly string[])[] = [];
let isAway = false;
beforeAll(async () => {
  gateway = await startGateway([
    ...ledger.routes(),
    answering(listRecordLines, async ({ records }) => {
      askedFor.push(records);
      if (isAway) throw new DomainError('SERVICE_UNAVAILABLE', 'away');
      const line = { provider: 'efi', currency: 'BRL', lineKey: 'efi:7', amount: 500, e2eId: 'E7' };
      return { lines: [{ ...line, bookedAt: '2026-01-02T10:00:00.000Z', state: 'matched' as const, recordId: paid }] };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const findingsOf = (id: string, name = 'entries_equal_available') =>
  `/ops/reconciliations/${id}/checks/${name}/findings`;

describe('what a check found', () => {
  test('is listed one by one, with what it is about, what follows and what is there', async () => {
    const { id } = ledger.made('DISCREPANCY');
    const { status, body } = await gateway.asOperator(
      'GET',
      `${findingsOf(id)}?environment=live&limit=1&cursor=live.3`,
    );
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      {
        id: 'live.1',
        kind: 'balance_differs',
        account_id: finding.accountId,
        expected: '100',
        found: '99',
        note: null,
      },
    ]);
    expect(body.next_cursor).toBe('live.1');
    const asked = { id, name: 'entries_equal_available', environment: 'live', limit: 1, cursor: 'live.3' };
    expect(ledger.asked.at(-1)).toEqual(asked);
  });

  test('is asked for by a check and a cursor that can be there', async () => {
    const { id } = ledger.made('DISCREPANCY');
    expect((await gateway.asOperator('GET', findingsOf(id, 'nonsense'))).status).toBe(404);
    expect((await gateway.asOperator('GET', findingsOf(newId('reconciliation')))).status).toBe(404);
    const { status, body } = await gateway.asOperator('GET', `${findingsOf(id)}?cursor=live.0`);
    expect([status, body.error.details[0]?.path]).toEqual([400, 'cursor']);
  });

  test('takes a note of an operator', async () => {
    const { id } = ledger.made('DISCREPANCY');
    const noted = await gateway.asOperator('POST', `${findingsOf(id)}/live.1/note`, { body: { note: 'asked' } });
    expect([noted.status, noted.body.note]).toMatchObject([200, { text: 'asked', by: 'ana' }]);
    expect(
      (await gateway.asOperator('POST', `${findingsOf(id)}/live.2/note`, { body: { note: 'asked' } })).status,
    ).toBe(404);
    expect(
      (await gateway.asOperator('POST', `${findingsOf(id)}/live.x/note`, { body: { note: 'asked' } })).status,
    ).toBe(404);
    expect((await gateway.asOperator('POST', `${findingsOf(id)}/live.1/note`, { body: { note: '' } })).status).toBe(
      400,
    );
  });
});

describe('a finding about a record', () => {
  const about = (id: string, recordId: string) => ({
    ...finding,
    id,
    recordId,
    accountId: null,
    kind: 'moved_differs',
  });
  const linesShown = async () => {
    const { body } = await gateway.asOperator('GET', findingsOf(ledger.made('DISCREPANCY').id));
    return (body.data as readonly { provider_line?: unknown }[]).map(({ provider_line: line }) => line);
  };
  const shown = {
    ...{ id: 'efi/BRL/efi:7', currency: 'BRL', amount_cents: 500, booked_at: '2026-01-02T10:00:00.000Z' },
    ...{ e2e_id: 'E7', state: 'matched' },
  };
  beforeAll(() => {
    const ofTest = { ...about('test.1', paid), environment: 'test' as const };
    ledger.found = [finding, about('live.2', paid), about('live.3', unpaid), about('live.4', paid), ofTest];
  });
  afterAll(() => void (ledger.found = [finding]));

  test("has the line of the provider's statement that it is in, and null where there is none", async () => {
    askedFor.length = 0;
    expect(await linesShown()).toEqual([null, shown, null, shown, null]);
    expect(askedFor).toEqual([[paid, unpaid]]);
    const { text } = await gateway.asOperator('GET', `${findingsOf(ledger.made('DISCREPANCY').id)}?format=csv`);
    expect(text.split('\n')[0]).toContain('provider_line_id,provider_line_currency,provider_line_amount_cents');
  });

  test('is read without its line while the reconciler does not answer', async () => {
    isAway = true;
    expect(await linesShown()).toEqual([null, undefined, undefined, undefined, null]);
    isAway = false;
  });
});

describe('who answers for a reconciliation', () => {
  const reason = 'the bank corrects it tomorrow';
  const signOff = (id: string, by = gateway.asOperator) =>
    by('POST', `/ops/reconciliations/${id}/sign-off`, { body: { reason } });

  test('is one operator where everything agrees, and it is signed off once', async () => {
    const { id } = ledger.made('OK');
    const { status, body } = await signOff(id);
    expect([status, body.signed_off]).toEqual([200, { by: 'ana', reason, at: 1_767_000_000, approval_id: null }]);
    const again = await signOff(id, gateway.asSecond);
    expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE']);
  });

  test('are two operators where something does not: the first signs off nothing', async () => {
    const { id } = ledger.made('DISCREPANCY');
    const { status, body } = await signOff(id);
    expect(status).toBe(202);
    const { approval } = body;
    expect(approval).toMatchObject({ kind: 'reconciliation.sign-off', target: id, reason, state: 'PROPOSED' });
    expect((await gateway.asOperator('GET', `/ops/reconciliations/${id}`)).body.signed_off).toBeNull();
    const beside = await signOff(id, gateway.asSecond);
    expect([beside.status, beside.body.error.message]).toEqual([409, expect.stringContaining(approval.id)]);
    const alone = await gateway.asOperator('POST', `/ops/approvals/${approval.id}/approve`);
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    const approved = await gateway.asSecond('POST', `/ops/approvals/${approval.id}/approve`);
    const signed = { by: 'ana, bruno', reason, at: 1_767_000_000, approval_id: approval.id };
    expect(approved.body.approval).toMatchObject({ state: 'APPLIED', outcome: { id, signed_off: signed } });
    expect((await signOff(id)).status).toBe(409);
    const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${id}`);
    expect(trail.data).toMatchObject([
      {
        operator: 'bruno',
        action: 'reconciliation.sign-off',
        before: { signed_off: null },
        after: { signed_off: signed },
      },
    ]);
  });

  test('needs a reason, and a reconciliation', async () => {
    const { id } = ledger.made('OK');
    expect((await gateway.asOperator('POST', `/ops/reconciliations/${id}/sign-off`, { body: {} })).status).toBe(400);
    expect((await signOff(newId('reconciliation'))).status).toBe(404);
  });
});
