import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import { graded } from '@gateway/providers/testing';
import type { Dependencies } from '#src/dependencies.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { getOperatorDispute, listOperatorDisputes } from '#src/dispute/read-disputes.ts';
import { resolveDispute } from '#src/dispute/resolve-dispute.ts';
import { sendEvidence } from '#src/dispute/send-evidence.ts';
import { confirmEvidence, submitEvidence } from '#src/dispute/submit-evidence.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

type DisputeEvent = Parameters<typeof applyDisputeEvent>[2];

const environment = 'test' as const;
const source = { environment, provider: 'sandbox' };
const startMs = Date.parse('2026-03-04T05:06:00.000Z');

async function report(deposit: Deposit, type: DisputeEvent['type'], second: number, amount = deposit.amount) {
  const facts = { disputeRef: deposit.id, e2eId: deposit.e2eId!, money: { currency: 'BRL', amount } as const };
  const at = new Date(startMs + second * 1_000);
  const event = graded('asked', { type, dedupeKey: `${type}:${deposit.id}:${second}`, at, raw: null, ...facts });
  await applyDisputeEvent(stage.dependencies, source, event, 5_000);
}

const roundsOf = async ({ accountId }: Deposit) =>
  (await listOperatorDisputes(stage.dependencies, { accountId, limit: 10 })).disputes;
const shown = async (id: string) => (await getOperatorDispute(stage.dependencies, { id })).dispute;

/** A dispute of which its provider has reported two decisions of the same moment. */
async function contradicted(first: 'won' | 'lost', lost?: number) {
  const deposit = await stage.paid();
  await stage.give(deposit.accountId, 1_000);
  await report(deposit, 'dispute.opened', 0);
  await report(deposit, `dispute.${first}`, 1, lost);
  await report(deposit, first === 'won' ? 'dispute.lost' : 'dispute.won', 1);
  const [dispute] = await roundsOf(deposit);
  expect(dispute!.attention).toBe('contradiction');
  return { deposit, id: dispute!.id };
}

function wanted(id: string, outcome: 'stands' | 'won' | 'lost', lostAmount: number | null = null) {
  const two = { proposedBy: 'ana', approvedBy: 'bruno' };
  return { id, outcome, lostAmount, evidence: 'Statement of May, line 4', approvalId: newId('approval'), ...two };
}

const balanceOf = ({ accountId }: Deposit) => stage.ledger.books.balanceOf(accountId);
const full = { available: 10_850, pending: 0, blocked: 0 };

describe('a dispute whose provider contradicts itself', () => {
  test.each(['won', 'lost'] as const)(
    '%s, stands as two found: nothing moves, and what was said is settled',
    async (first) => {
      const { deposit, id } = await contradicted(first);
      const before = balanceOf(deposit);
      await resolveDispute(stage.dependencies, wanted(id, 'stands'));
      expect(await shown(id)).toMatchObject({ attention: null, verdict: first, resolution: { outcome: 'stands' } });
      await report(deposit, first === 'won' ? 'dispute.lost' : 'dispute.won', 1);
      expect(await shown(id)).toMatchObject({ attention: null, verdict: first });
      expect(balanceOf(deposit)).toEqual(before);
    },
  );

  test('and was won after all is overturned, once', async () => {
    const { deposit, id } = await contradicted('lost');
    expect(balanceOf(deposit).available).toBe(850);
    const resolution = wanted(id, 'won');
    for (let times = 0; times < 2; times++) await resolveDispute(stage.dependencies, resolution);
    expect(await shown(id)).toMatchObject({ status: 'WON', attention: null, resolution: { outcome: 'won' } });
    expect(balanceOf(deposit)).toEqual(full);
  });

  test('once more after the first of two has seen it is not decided by what was found about the time before', async () => {
    const { deposit, id } = await contradicted('lost');
    const late = { ...wanted(id, 'won'), proposedAt: stage.dependencies.now().toISOString() };
    stage.passSeconds(60);
    await resolveDispute(stage.dependencies, wanted(id, 'stands'));
    await report(deposit, 'dispute.opened', 10_000);
    expect(await shown(id)).toMatchObject({ status: 'LOST', attention: 'contradiction' });
    await expect(resolveDispute(stage.dependencies, late)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(balanceOf(deposit).available).toBe(850);
    const proposedAt = stage.dependencies.now().toISOString();
    await resolveDispute(stage.dependencies, { ...late, proposedAt });
    expect(balanceOf(deposit)).toEqual(full);
  });

  test('and was lost in part after all is lost for that part, once', async () => {
    const { deposit, id } = await contradicted('won');
    const resolution = wanted(id, 'lost', 4_000);
    for (let times = 0; times < 2; times++) {
      const { after } = await resolveDispute(stage.dependencies, resolution);
      expect(after).toMatchObject({ status: 'LOST', returned: 4_000 });
    }
    expect(await roundsOf(deposit)).toMatchObject([
      { status: 'LOST', attention: null },
      { status: 'WON', attention: null },
    ]);
    expect(balanceOf(deposit)).toEqual({ ...full, available: 6_850 });
  });

  test('and was lost for more than was booked is lost for that, and not for less', async () => {
    const { deposit, id } = await contradicted('lost', 3_000);
    const less = resolveDispute(stage.dependencies, wanted(id, 'lost', 2_000));
    await expect(less).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await resolveDispute(stage.dependencies, wanted(id, 'lost', 4_000));
    expect(await shown(id)).toMatchObject({ status: 'LOST', attention: null });
    expect(balanceOf(deposit)).toEqual({ ...full, available: 6_850 });
  });

  test('goes on where a process died after two had said what it came to', async () => {
    const { deposit, id } = await contradicted('lost');
    const resolution = wanted(id, 'won');
    const dying: Dependencies = {
      ...stage.dependencies,
      askLedger: () => Promise.reject(new Error('the process ends here')),
    };
    await expect(resolveDispute(dying, resolution)).rejects.toThrow('the process ends here');
    expect(await shown(id)).toMatchObject({ attention: 'contradiction', resolution: { outcome: 'won' } });
    await resolveDispute(stage.dependencies, resolution);
    expect(await shown(id)).toMatchObject({ status: 'WON', attention: null });
    expect(balanceOf(deposit)).toEqual(full);
  });

  test('is not resolved by one person, nor where there is no contradiction', async () => {
    const { id } = await contradicted('won');
    const alone = resolveDispute(stage.dependencies, { ...wanted(id, 'stands'), approvedBy: 'ana' });
    await expect(alone).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
    await resolveDispute(stage.dependencies, wanted(id, 'stands'));
    const again = resolveDispute(stage.dependencies, wanted(id, 'lost'));
    await expect(again).rejects.toMatchObject({ code: 'INVALID_STATE' });
    const unknown = resolveDispute(stage.dependencies, wanted(newId('dispute'), 'stands'));
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('evidence that was handed over by hand is SENT, and the dispute needs nobody for it any more', async () => {
  const { submitEvidence: _none, ...sandbox } = stage.dependencies.chargeRoutes.test[0]!.provider;
  const [route] = stage.dependencies.chargeRoutes.test;
  const without = { ...stage.dependencies, chargeRoutes: { test: [{ ...route!, provider: sandbox }], live: [] } };
  const deposit = await stage.paid();
  await report(deposit, 'dispute.opened', 1);
  const [dispute] = await roundsOf(deposit);
  const { id, accountId } = dispute!;
  await submitEvidence(stage.dependencies, { environment, accountId, id, text: 'delivered', urls: [] });
  await sendEvidence(without);
  // A test dispute needs no operator to hand evidence over; a live one does.
  await stage.dependencies.database.query(
    `update dispute set attention = 'evidence', attention_at = now() where id = $1`,
    [id],
  );
  const { dispute: handedOver } = await confirmEvidence(stage.dependencies, { id });
  const sentAt = stage.dependencies.now().toISOString();
  expect(handedOver).toMatchObject({ attention: null, evidence: [{ status: 'SENT', sentAt, failureMessage: null }] });
  await expect(confirmEvidence(stage.dependencies, { id })).rejects.toMatchObject({ code: 'INVALID_STATE' });
});
