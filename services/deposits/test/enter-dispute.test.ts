import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit, enterDispute as contract } from '@gateway/contracts/deposits';
import type { RequestOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { asked } from '@gateway/providers/testing';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { requireEnterable } from '#src/dispute/contested-payment.ts';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';
import { enterDispute } from '#src/dispute/enter-dispute.ts';
import { getOperatorDispute, listOperatorDisputes } from '#src/dispute/read-disputes.ts';
import { resolveDispute } from '#src/dispute/resolve-dispute.ts';
import { getOperatorDeposit } from '#src/payment/operator-deposits.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;
const two = { proposedBy: 'ana', approvedBy: 'bruno' };
type Letter = RequestOf<typeof contract>;

/** 100.00, of which 98.50 are in the balance. */
const paid = async () => await stage.paid();

function letterOf({ id: depositId }: Deposit, changes: Partial<Letter> = {}): Letter {
  const openedAt = new Date(stage.dependencies.now().getTime() - 3_600_000).toISOString();
  const dueAt = '2026-03-11T05:06:07.000Z';
  return {
    ...{ environment, depositId, amount: 6_000, disputeRef: `MED ${depositId}`, openedAt, dueAt, reason: 'FRAUD' },
    ...{ evidence: 'letter of the bank of 4 March', approvalId: newId('approval'), ...two, ...changes },
  };
}

const enter = async (letter: Letter, dependencies: Dependencies = stage.dependencies) =>
  (await enterDispute(dependencies, letter)).dispute;
const refused = (letter: Letter) => expect(enterDispute(stage.dependencies, letter)).rejects;
const disputesOf = async ({ id: depositId }: Deposit) =>
  (await listOperatorDisputes(stage.dependencies, { depositId, limit: 10 })).disputes;
const balanceOf = ({ accountId }: Deposit) => stage.ledger.books.balanceOf(accountId);
const held = { available: 3_850, pending: 0, blocked: 6_000 };
const whole = { available: 9_850, pending: 0, blocked: 0 };

/** Something happens once the records were first looked at, and before they are again. */
function afterFirstLook(happen: () => Promise<unknown>): Dependencies {
  let isFirst = true;
  const { database } = stage.dependencies;
  const reader = () => {
    const em = database.reader();
    const find = em.find.bind(em) as (...asked: unknown[]) => Promise<unknown>;
    return withMember(em, 'find', async (entity: unknown, ...rest: unknown[]) => {
      const found = await find(entity, ...rest);
      if (entity === DisputeEntity && isFirst) {
        isFirst = false;
        await happen();
      }
      return found;
    });
  };
  return { ...stage.dependencies, database: withMember(database, 'reader', reader) };
}

function withMember<Service extends object>(service: Service, member: keyof Service, instead: unknown): Service {
  return new Proxy(service, {
    get: (target, name) => {
      const value: unknown = name === member ? instead : Reflect.get(target, name, target);
      return typeof value === 'function' && name !== member ? (value.bind(target) as unknown) : value;
    },
  });
}

async function eventsOf(deposit: Deposit) {
  const rows = await stage.dependencies.database.query<{ subject: string }>(
    `select subject from outbox where payload::jsonb #>> '{dispute,depositId}' = $1 order by id`,
    [deposit.id],
  );
  return rows.map(({ subject }) => subject);
}

/** A return under MED as a bank lists it: by its own id, of the payment. */
async function bankReturns({ e2eId }: Deposit, id: string, amount: number) {
  stage.passSeconds(60);
  const at = stage.dependencies.now();
  const money = { currency: 'BRL', amount } as const;
  const facts = { disputeRef: id, e2eId: e2eId!, money, returnId: id, returns: [{ id, amount }] };
  const event = asked({ type: 'dispute.lost', dedupeKey: `lost:${id}`, at, raw: null, ...facts } as const);
  await applyDisputeEvent(stage.dependencies, { environment, provider: 'sandbox' }, event, 5_000);
}

async function decide(id: string, outcome: 'won' | 'lost', lostAmount: number | null = null) {
  const decision = { id, outcome, lostAmount, evidence: 'second letter', approvalId: newId('approval'), ...two };
  return (await resolveDispute(stage.dependencies, decision)).after;
}

describe('a dispute that two operators enter', () => {
  test('blocks the money, is announced, and is entered once however often it is carried out', async () => {
    const deposit = await paid();
    const letter = letterOf(deposit);
    const dispute = await enter(letter);
    expect(dispute).toMatchObject({
      ...{ status: 'OPEN', amount: 6_000, blocked: 6_000, reason: 'FRAUD', disputeRef: letter.disputeRef },
      ...{ defenseDueAt: '2026-03-11T05:06:07.000Z', outcomes: ['won', 'lost'] },
      entry: { ...two, evidence: letter.evidence, approvalId: letter.approvalId },
    });
    const [again, meanwhile] = await Promise.all([enter(letter), enter(letter)]);
    expect([again.id, meanwhile.id]).toEqual([dispute.id, dispute.id]);
    expect(balanceOf(deposit)).toEqual(held);
    expect(await eventsOf(deposit)).toEqual(['event.deposits.dispute.opened.v1']);
  });

  test('at the same moment twice under one approval is one dispute', async () => {
    const deposit = await paid();
    const letter = letterOf(deposit);
    const entered = await Promise.all([enter(letter), enter(letter), enter(letter)]);
    expect(new Set(entered.map(({ id }) => id)).size).toBe(1);
    expect(balanceOf(deposit)).toEqual(held);
  });

  test('is not refused where another attempt under its approval was faster', async () => {
    const letter = letterOf(await paid());
    const overtaken = afterFirstLook(() => enter(letter));
    expect((await enter(letter, overtaken)).id).toBe((await enter(letter)).id);
  });

  test('goes on under its approval where a process died after it was on record', async () => {
    const deposit = await paid();
    const letter = letterOf(deposit);
    const dying: Dependencies = {
      ...stage.dependencies,
      askLedger: () => Promise.reject(new Error('the process ends here')),
    };
    await expect(enter(letter, dying)).rejects.toThrow('the process ends here');
    expect(balanceOf(deposit)).toEqual(whole);
    expect(await enter(letter)).toMatchObject({ status: 'OPEN', blocked: 6_000 });
    expect(balanceOf(deposit)).toEqual(held);
  });

  test('under another approval is refused, by its reference and by its payment', async () => {
    const deposit = await paid();
    const letter = letterOf(deposit);
    const { id } = await enter(letter);
    const other = { approvalId: newId('approval'), amount: 1_000 };
    await refused({ ...letter, ...other }).toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining(id) as unknown,
    });
    await refused({ ...letter, ...other, disputeRef: 'another' }).toMatchObject({ code: 'INVALID_STATE' });
    await refused(letterOf(await paid(), { disputeRef: letter.disputeRef })).toMatchObject({ code: 'INVALID_STATE' });
    expect(balanceOf(deposit)).toEqual(held);
  });

  test('is the one that its provider reports later under the same reference', async () => {
    const deposit = await paid();
    const { disputeRef, id } = await enter(letterOf(deposit));
    const at = stage.dependencies.now();
    const money = { currency: 'BRL', amount: 10_000 } as const;
    const opened = { type: 'dispute.opened', dedupeKey: `own:${id}`, at, raw: null, disputeRef } as const;
    const event = asked({ ...opened, e2eId: deposit.e2eId!, money });
    const source = { environment, provider: 'sandbox' };
    expect((await applyDisputeEvent(stage.dependencies, source, event, 5_000)).id).toBe(id);
    expect(balanceOf(deposit)).toEqual(held);
  });
});

describe('what is not contested is not entered', () => {
  test.each([
    ['more than was paid', { amount: 10_001 }, 'VALIDATION_ERROR'],
    ['a deposit of the other environment', { environment: 'live' }, 'VALIDATION_ERROR'],
    ['a payment of another deposit', { e2eId: 'E0' }, 'VALIDATION_ERROR'],
    ['an unknown deposit', { depositId: newId('deposit') }, 'NOT_FOUND'],
    ['one person', { approvedBy: 'ana' }, 'SECOND_PERSON_REQUIRED'],
  ] as const)('%s', async (_, changes, code) => {
    const deposit = await paid();
    await refused(letterOf(deposit, changes)).toMatchObject({ code });
    expect([await disputesOf(deposit), balanceOf(deposit)]).toEqual([[], whole]);
  });

  test('a payment that went back, or of which too little is left', async () => {
    const deposit = await paid();
    await bankReturns(deposit, `r1 ${deposit.id}`, 7_000);
    await refused(letterOf(deposit)).toMatchObject({ code: 'VALIDATION_ERROR' });
    // The balance covers 28.50 of it; the rest is due from later credits.
    await bankReturns(deposit, `r2 ${deposit.id}`, 3_000);
    await refused(letterOf(deposit, { amount: 1 })).toMatchObject({ code: 'INVALID_STATE' });
  });

  test('and a live payment whose provider reports its disputes itself', async () => {
    const { accountId, id } = await paid();
    const { deposit } = await getOperatorDeposit(stage.dependencies, { id });
    const contested = { deposit, provider: 'sandbox', e2eId: deposit.e2eId!, amount: deposit.amount };
    const check = async (mode: 'live' | 'test', disputes: boolean) => {
      const [route] = stage.dependencies.chargeRoutes.test;
      const capabilities = { ...route!.provider.capabilities, disputes };
      const routes = [{ ...route!, provider: { ...route!.provider, capabilities } }];
      const dependencies = { ...stage.dependencies, chargeRoutes: { test: routes, live: routes } };
      await requireEnterable(dependencies, letterOf(deposit, { environment: mode }), contested);
    };
    await expect(check('live', true)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await check('live', false);
    await check('test', true);
    expect(stage.ledger.books.balanceOf(accountId)).toEqual(whole);
  });
});

describe('a dispute that was entered is decided', () => {
  test('for its merchant by two operators: what was blocked is available', async () => {
    const deposit = await paid();
    const { id } = await enter(letterOf(deposit));
    expect(await decide(id, 'won')).toMatchObject({ status: 'WON', blocked: 0, outcomes: [] });
    expect(balanceOf(deposit)).toEqual(whole);
    expect((await eventsOf(deposit)).at(-1)).toBe('event.deposits.dispute.won.v1');
    await expect(decide(id, 'lost')).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('against it by the return of its bank, which names no dispute', async () => {
    const deposit = await paid();
    const { id } = await enter(letterOf(deposit));
    await bankReturns(deposit, `return of ${deposit.id}`, 6_000);
    expect(await disputesOf(deposit)).toMatchObject([{ id, status: 'LOST', returned: 6_000 }]);
    expect(balanceOf(deposit)).toEqual({ ...whole, available: 3_850 });
  });

  test.each([null, 4_000])(
    'against it by two operators, in part or whole (%s), and its return counts once',
    async (part) => {
      const deposit = await paid();
      const { id } = await enter(letterOf(deposit));
      await decide(id, 'lost', part);
      const lost = { ...whole, available: 9_850 - (part ?? 6_000) };
      expect(balanceOf(deposit)).toEqual(lost);
      for (let time = 0; time < 2; time += 1) await bankReturns(deposit, `late ${deposit.id}`, part ?? 6_000);
      expect(await disputesOf(deposit)).toMatchObject([{ id, status: 'LOST', attention: null }]);
      expect(balanceOf(deposit)).toEqual(lost);
      const { accountId } = deposit;
      const { deposit: after } = await getDeposit(stage.dependencies, { environment, accountId, id: deposit.id });
      expect(after.refunded).toBe(part ?? 6_000);
      // What goes back beyond what was lost is another dispute.
      await bankReturns(deposit, `more ${deposit.id}`, 1_000);
      expect(balanceOf(deposit)).toEqual({ ...lost, available: lost.available - 1_000 });
    },
  );

  test('and opened again by a later letter is a further round, which is decided too', async () => {
    const deposit = await paid();
    const letter = letterOf(deposit);
    const { id } = await enter(letter);
    await decide(id, 'won');
    const again = {
      approvalId: newId('approval'),
      openedAt: new Date(Date.parse(letter.openedAt) + 60_000).toISOString(),
    };
    const second = await enter({ ...letter, ...again });
    expect(second.id).not.toBe(id);
    expect(balanceOf(deposit)).toEqual(held);
    expect(await decide(second.id, 'lost')).toMatchObject({ status: 'LOST', returned: 6_000 });
    expect((await getOperatorDispute(stage.dependencies, { id })).dispute.status).toBe('WON');
  });
});
