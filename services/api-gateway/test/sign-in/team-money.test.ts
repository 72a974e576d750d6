import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import { type Approval, ApprovalEntity } from '#src/approvals/approval.ts';
import { carryOut } from '#src/approvals/carry-out.ts';
import { teamPayoutRules } from '#src/proposals/send-team-payouts.ts';
import { teamRefundRules } from '#src/proposals/send-team-refund.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';
import { createShop, ScriptedMoney, type TeamMember } from '../harness/team-money.ts';

const money = new ScriptedMoney();
let gateway: GatewayUnderTest;
let shop: string;
let finance: TeamMember;
let approver: TeamMember;
beforeAll(async () => {
  gateway = await startGateway(money.routes());
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  money.reset();
  shop = await createShop(gateway);
  finance = money.member(gateway, 'fabio', shop, 'finance');
  approver = money.member(gateway, 'paulo', shop, 'approver');
});

const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };
const payout = (externalId: string, amount = 1_200) => ({
  ...{ amount, external_id: externalId, payout_key: 'maria@example.com', payout_key_type: 'email', recipient },
});
const send = (body: object) => finance.confirmed('POST', '/v1/payouts', body);
const batchOf = async (...payouts: object[]) =>
  (await finance.confirmed('POST', '/payout-batches', { payouts, reason: 'salaries' })).body.approval;
const decide = async ({ id, request_digest }: { id: string; request_digest: string }) =>
  await approver.confirmed('POST', `/approvals/${id}/approve`, { request_digest });
const references = () => money.payouts.map(({ externalId }) => externalId);
const readApproval = async (id: string): Promise<Approval> =>
  await gateway.database.reader().findOneOrFail(ApprovalEntity, { id });

describe('what one person sends alone', () => {
  const allow = async (cents: number | null) => {
    const path = `/ops/accounts/${shop}`;
    const { status, body } = await gateway.asOperator('PATCH', path, { body: { team_approval_over_cents: cents } });
    expect([status, money.payouts]).toEqual([202, []]);
    const approved = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
    expect(approved.status).toBe(200);
  };

  test('is nothing, until two operators agree to an amount; above it a second of the account decides', async () => {
    expect((await send(payout('all', 1))).status).toBe(202);
    await allow(1_000);
    const within = await send(payout('within', 1_000));
    expect([within.status, within.body.payout.external_id, references()]).toEqual([201, 'within', ['within']]);
    expect((await send(payout('above', 1_001))).status).toBe(202);
    const mexican = {
      ...payout('mxn', 100),
      currency: 'MXN',
      payout_key: '646180157000000004',
      payout_key_type: 'clabe',
    };
    const inPesos = await send({ ...mexican, recipient: { name: 'Ana', document: 'GODE561231GR8' } });
    expect(inPesos.status).toBe(202);
    expect(references()).toEqual(['within']);
    // Down again takes one operator: more is held back.
    const body = { team_approval_over_cents: 0 };
    expect((await gateway.asOperator('PATCH', `/ops/accounts/${shop}`, { body })).status).toBe(200);
    expect((await send(payout('held', 1))).status).toBe(202);
  });

  test('is everything once two operators have agreed to that, by payout and refund, and never a batch', async () => {
    await allow(null);
    expect((await send(payout('alone', 900_000))).status).toBe(201);
    const refund = { external_id: 'refund-alone', amount: 100 };
    const path = `/v1/deposits/${money.deposit.id}/refunds`;
    expect((await finance.confirmed('POST', path, refund)).status).toBe(201);
    expect((await batchOf(payout('b-1', 1), payout('b-2', 1))).state).toBe('PROPOSED');
    expect([references(), money.refunds]).toMatchObject([['alone'], [{ amount: 100 }]]);
  });
});

describe('a repeated call', () => {
  test('is answered with the proposal that waits, and with the payout once it is made', async () => {
    const [one, other] = await Promise.all([send(payout('twice')), send(payout('twice'))]);
    expect(other.body.approval.id).toBe(one.body.approval.id);
    const changed = await send(payout('twice', 9));
    expect([changed.status, changed.body.error.code]).toEqual([409, 'INVALID_STATE']);
    await decide(one.body.approval);
    const again = await send(payout('twice'));
    expect([again.status, again.body.payout.id, references()]).toEqual([200, money.payouts[0]?.id, ['twice']]);
  });

  test('within a batch names the payout whose reference is used', async () => {
    await decide((await send(payout('used'))).body.approval);
    for (const [payouts, path] of [
      [[payout('new'), payout('used')], 'payouts.1.external_id'],
      [[payout('same'), payout('other'), payout('same')], 'payouts.2.external_id'],
    ] as const) {
      const { status, body } = await finance.confirmed('POST', '/payout-batches', { payouts });
      expect([status, body.error.details[0]?.path]).toEqual([400, path]);
    }
    const none = await finance.confirmed('POST', '/payout-batches', { payouts: [] });
    expect(none.body.error.details[0]?.path).toBe('payouts');
  });
});

describe('a batch', () => {
  test('has two hundred payouts at most, which are one proposal', async () => {
    const payouts = (count: number) => Array.from({ length: count }, (_each, index) => payout(`row-${index}`, 100));
    const { status, body } = await finance.confirmed('POST', '/payout-batches', { payouts: payouts(201) });
    expect([status, body.error.details[0]?.path]).toEqual([400, 'payouts']);
    const whole = await finance.confirmed('POST', '/payout-batches', { payouts: payouts(200) });
    expect([whole.status, whole.body.approval]).toMatchObject([202, { totals: [{ amount: 20_000, count: 200 }] }]);
  });

  test('is one proposal, and its payouts are made in its order', async () => {
    const batch = await batchOf(payout('a', 100), payout('b', 200), payout('c', 300));
    expect(batch).toMatchObject({ reason: 'salaries', totals: [{ currency: 'BRL', amount: 600, count: 3 }] });
    expect((await decide(batch)).body.approval.state).toBe('APPLIED');
    expect(references()).toEqual(['a', 'b', 'c']);
  });

  test('that the balance does not cover as a whole, fees included, is 422, and none of it is made', async () => {
    money.available = 1_000;
    const batch = await batchOf(payout('a', 600), payout('b', 600));
    const { status, body } = await decide(batch);
    expect([status, body.error.code, references()]).toEqual([422, 'INSUFFICIENT_FUNDS', []]);
    await gateway.asOperator('PATCH', `/ops/accounts/${shop}`, { body: { fees: { payout: { fixed_cents: 1 } } } });
    const costly = await batchOf(payout('c', 500), payout('d', 500));
    expect((await decide(costly)).body.error.code).toBe('INSUFFICIENT_FUNDS');
    expect(references()).toEqual([]);
  });

  test('of which one is refused names it, and makes the others', async () => {
    const batch = await batchOf(payout('a'), payout('b'), payout('c'));
    money.asked = async (externalId) => {
      if (externalId === 'b') money.available = 0;
      if (externalId === 'c') money.available = 5_000;
    };
    const { body } = await decide(batch);
    expect(body.approval['outcome']).toMatchObject({
      payouts: [
        { failure: null },
        { external_id: 'b', id: null, failure: { code: 'INSUFFICIENT_FUNDS' } },
        { failure: null },
      ],
    });
    expect(references()).toEqual(['a', 'c']);
  });
});

describe('a process that ends', () => {
  /** Fails each time this many questions and statements were let through. */
  const endingAt = <T extends object>(target: T, steps: { left: number }): T =>
    new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name);
        if (typeof member !== 'function') return member;
        if (name === 'reader') return member.bind(object) as unknown;
        return (...given: unknown[]) => {
          if (steps.left-- <= 0) throw new Error('the process ends here');
          return Reflect.apply(member, object, given) as unknown;
        };
      },
    });

  /** Approved, and not carried out by the gateway that was asked. */
  const approved = async (id: string): Promise<Approval> => {
    await gateway.database.query(
      `update approval set state = 'APPLYING', approved_by = 'paulo', decided_by = 'paulo', decided_at = now(),
         attempted_at = date_trunc('milliseconds', now()) where id = $1`,
      [id],
    );
    await gateway.database.query('update approval set decided_at = attempted_at where id = $1', [id]);
    return await readApproval(id);
  };
  const attempt = async (id: string, steps: { left: number }) => {
    const { bus, database } = gateway;
    const ending = { bus: endingAt(bus, steps), database: endingAt(database, steps) };
    const rules = { 'team.payouts': teamPayoutRules(ending), 'team.refund': teamRefundRules(ending) };
    await carryOut({ database: ending.database, rules: rules as never }, await readApproval(id));
  };

  test('at any line between the approval and its outcome leaves each payout made once by the next', async () => {
    const ended: number[] = [];
    for (let line = 0; ended.length === line; line++) {
      money.payouts.length = 0;
      const [one, two] = [`a-${line}`, `b-${line}`];
      const { id } = await batchOf(payout(one), payout(two));
      await approved(id);
      await attempt(id, { left: line }).catch(() => ended.push(line));
      if (ended.at(-1) === line) await attempt(id, { left: 1_000 });
      expect([line, references().sort()]).toEqual([line, [one, two]]);
      expect((await readApproval(id)).state).toBe('APPLIED');
    }
    expect(ended.length).toBeGreaterThan(8);
  });

  test('after a refund was made leaves one refund, also when the account is frozen by then', async () => {
    const path = `/v1/deposits/${money.deposit.id}/refunds`;
    const { id } = (await finance.confirmed('POST', path, { external_id: 'r-1' })).body.approval;
    await approved(id);
    money.made = async () => {
      throw new Error('no answer');
    };
    await expect(attempt(id, { left: 1_000 })).rejects.toThrow();
    const body = { level: 'writes', reason: 'reported' };
    await gateway.asOperator('POST', `/ops/accounts/${shop}/freeze`, { body });
    await attempt(id, { left: 1_000 });
    expect(money.refunds).toMatchObject([{ externalId: 'r-1', amount: 10_000 }]);
    expect((await readApproval(id)).outcome).toMatchObject({ refund: { id: money.refunds[0]?.id } });
  });

  test('is followed by the gateway itself, and one that was taken over makes no further payout', async () => {
    const { id } = await batchOf(payout('left-1'), payout('left-2'));
    await approved(id);
    money.made = async () => {
      money.made = async () => undefined;
      await gateway.database.query(`update approval set attempted_at = now() - interval '1 minute' where id = $1`, [
        id,
      ]);
    };
    await expect(attempt(id, { left: 1_000 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(references()).toEqual(['left-1']);
    await eventually(async () => expect((await readApproval(id)).state).toBe('APPLIED'));
    expect(references()).toEqual(['left-1', 'left-2']);
  });
});

test('a refund is proposed with the amount that is left, and sent once it is approved', async () => {
  const path = `/v1/deposits/${money.deposit.id}/refunds`;
  const proposed = await finance.confirmed('POST', path, { external_id: 'r-2', reason: 'returned goods' });
  expect([proposed.status, money.refunds]).toEqual([202, []]);
  const request = { deposit_id: money.deposit.id, external_id: 'r-2', amount: 10_000, reason: 'returned goods' };
  expect(proposed.body.approval).toMatchObject({ kind: 'team.refund', request });
  expect((await decide(proposed.body.approval)).body.approval.state).toBe('APPLIED');
  expect(money.refunds).toMatchObject([{ externalId: 'r-2', amount: 10_000, reason: 'returned goods' }]);
  const more = await finance.confirmed('POST', path, { external_id: 'r-3', amount: 10_001 });
  expect(more.body.error.code).toBe('REFUND_EXCEEDS_AMOUNT');
});

test('recipients are masked in a proposal, and shown with a reason that is in the audit trail before the answer', async () => {
  const { id } = (await send(payout('masked'))).body.approval;
  const path = `/approvals/${id}`;
  expect((await approver.call('GET', path)).text).not.toContain('52998224725');
  const reveal = { 'x-reveal': 'who gets it' };
  const shown = await approver.call('GET', path, undefined, reveal);
  expect(shown.text).toContain('52998224725');
  const viewer = money.member(gateway, 'vera', shop, 'viewer');
  expect((await viewer.call('GET', path, undefined, reveal)).status).toBe(403);
  const [row] = await gateway.database.query(
    `select operator, action, account_id, filter from audit where kind = 'read' and target = $1`,
    [id],
  );
  const members = ['payout_key', 'recipient.document', 'recipient.name'].map(
    (name) => `approval.request.payouts.${name}`,
  );
  const filter = { reveal: 'who gets it', fields: members };
  expect(row).toEqual({ operator: 'merchant:paulo', action: 'approval.read', account_id: shop, filter });
});

test('who proposed and who decided is in the audit trail, under names that are no operator’s', async () => {
  const { id, request_digest } = (await send(payout(newId('request')))).body.approval;
  await decide({ id, request_digest });
  const rows = await gateway.database.query<{ operator: string; action: string }>(
    'select operator, action from audit where target = $1 order by id',
    [id],
  );
  expect(rows).toEqual([
    { operator: 'merchant:fabio', action: 'approval.propose' },
    { operator: 'merchant:paulo', action: 'approval.approve' },
  ]);
});
