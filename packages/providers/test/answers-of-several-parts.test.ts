import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargeInput, payoutInput } from '@gateway/providers/testing';
import { ScriptedProviders } from './scripted-providers.ts';

const at = new Date('2026-01-02T10:44:37.000Z');
const time = at.toISOString();
const e2eId = 'E12345678202601021044abcdefghijk';
let scripted: ScriptedProviders;
beforeAll(async () => {
  scripted = await ScriptedProviders.start(() => at);
});
afterAll(async () => scripted[Symbol.asyncDispose]());

describe('Woovi', () => {
  const sent = payoutInput({
    sentAt: at,
    destination: { type: 'email', value: 'a@example.com' },
    money: { currency: 'BRL', amount: 7000 },
  });
  const payment = { correlationID: sent.ref, value: 7000, status: 'CONFIRMED' };
  const came = { value: 500, time, status: 'CONFIRMED' };
  const returnsOf = async (transactions: readonly object[]) => {
    scripted.answering = ({ path }) =>
      path.startsWith('/api/v1/payment/')
        ? { body: { payment, transaction: { value: 7000, endToEndId: e2eId, time } } }
        : { body: { transactions } };
    return await scripted.provider('woovi').getPayoutReturns?.({ ref: sent.ref, payout: sent });
  };

  test.each([
    ['names another payment sent', { type: 'REVERSAL', withdraw: { endToEndId: 'E-of-somebody-else' } }],
    ['is of another reference', { type: 'REVERSAL', withdraw: { endToEndId: e2eId }, payment: { correlationID: 'x' } }],
    ['names no payment, as what we sent back to a payer', { type: 'REFUND' }],
  ])('answers with a return that %s: it is not believed', async (_name, reported) => {
    const mine = { ...came, type: 'REVERSAL', endToEndId: 'D1', withdraw: { endToEndId: e2eId } };
    expect(await returnsOf([mine])).toMatchObject({ status: 'FOUND', returns: [{ returnId: 'D1' }] });
    expect(await returnsOf([mine, { ...came, endToEndId: 'D2', ...reported }])).toMatchObject({
      status: 'UNAVAILABLE',
    });
  });

  test('answers with a payment that is under way, or was rejected: the charge is not paid by it', async () => {
    const charge = chargeInput({ createdAt: at, money: { currency: 'BRL', amount: 3700 } });
    const made = { correlationID: charge.ref, value: 3700, status: 'COMPLETED', brCode: '000201', expiresDate: time };
    const paidBy = async (...statuses: readonly string[]) => {
      const of = { charge: { correlationID: charge.ref }, type: 'PAYMENT', value: 3700, time };
      const transactions = statuses.map((status) => ({ ...of, status, endToEndId: status }));
      scripted.answering = ({ path }) =>
        path.startsWith('/api/v1/charge/')
          ? { body: { charge: { ...made, transactionID: 'txid' } } }
          : { body: { transactions } };
      return await scripted.provider('woovi').getCharge({ ref: charge.ref, charge });
    };
    expect(await paidBy('REJECTED', 'IN_PROCESSING')).toMatchObject({ status: 'UNAVAILABLE' });
    expect(await paidBy('REJECTED', 'CONFIRMED')).toMatchObject({ status: 'PAID', receipts: [{ e2eId: 'CONFIRMED' }] });
    expect(await paidBy('REFUNDED')).toMatchObject({ status: 'PAID', receipts: [{ e2eId: 'REFUNDED' }] });
  });

  test('answers with a payment that names no charge: none is paid by it', async () => {
    const charge = chargeInput({ createdAt: at, money: { currency: 'BRL', amount: 3700 } });
    const paidBy = async (status: string, ...transactions: readonly object[]) => {
      scripted.answering = ({ path }) =>
        path.startsWith('/api/v1/charge/')
          ? { body: { charge: { correlationID: charge.ref, status } } }
          : { body: { transactions } };
      return await scripted.provider('woovi').getCharge({ ref: charge.ref, charge });
    };
    const nameless = { type: 'PAYMENT', value: 3700, time, endToEndId: 'E1' };
    const ours = { ...nameless, charge: { correlationID: charge.ref } };
    expect(await paidBy('COMPLETED', nameless)).toMatchObject({ status: 'UNAVAILABLE' });
    expect(await paidBy('COMPLETED', ours)).toMatchObject({ status: 'PAID' });
    expect(await paidBy('EXPIRED', ours)).toMatchObject({ status: 'PAID', receipts: [{ e2eId: 'E1' }] });
    expect(await paidBy('EXPIRED')).toEqual({ status: 'EXPIRED' });
  });
});

test('what MED takes back of a payment at Efí in several parts is lost in all', async () => {
  const infracao = { idInfracao: 'i1', endToEndId: e2eId, status: 'ACEITA', criadoEm: time, valor: '100.00' };
  const later = new Date(at.getTime() + 86_400_000);
  const part = (id: string, valor: string, when: Date) => ({
    ...{ id, rtrId: id, valor, natureza: 'MED_FRAUDE', status: 'DEVOLVIDO' },
    horario: { solicitacao: when.toISOString() },
  });
  const devolucoes = [part('d1', '30.00', at), part('d2', '20.00', later)];
  scripted.answering = ({ path }) =>
    path.includes('infracoes')
      ? { body: { parametros: { paginacao: { quantidadeDePaginas: 1 } }, infracoes: [infracao] } }
      : { body: { endToEndId: e2eId, txid: 'a', valor: '100.00', horario: time, devolucoes } };
  const lookup = { disputeRef: 'i1', e2eId, paid: 10_000 };
  const lost = { type: 'dispute.lost', disputeRef: 'i1', at: later, money: { currency: 'BRL', amount: 5_000 } };
  expect(await scripted.provider('efi').getDisputes?.(lookup)).toMatchObject({ status: 'FOUND', disputes: [lost] });
});

test('a dispute at Efí that was heard of days after its opening is found by the day it was opened', async () => {
  const infracao = { idInfracao: 'i1', endToEndId: e2eId, status: 'EM_DEFESA', criadoEm: time, valor: '100.00' };
  const taken = { id: 'd1', rtrId: 'd1', valor: '40.00', natureza: 'MED_FRAUDE', status: 'DEVOLVIDO' };
  const devolucoes = [{ ...taken, horario: { solicitacao: time } }];
  scripted.answering = ({ path }) => {
    if (!path.includes('infracoes')) {
      return { body: { endToEndId: e2eId, txid: 'a', valor: '100.00', horario: time, devolucoes } };
    }
    const { searchParams } = new URL(path, 'http://efi.example');
    const isOpenedIn =
      Date.parse(searchParams.get('inicio')!) <= at.getTime() && at <= new Date(searchParams.get('fim')!);
    const parametros = { paginacao: { quantidadeDePaginas: 1 } };
    return { body: { parametros, infracoes: isOpenedIn ? [infracao] : [] } };
  };
  const openedAt = new Date(at.getTime() + 3 * 86_400_000);
  const answer = await scripted.provider('efi').getDisputes?.({ disputeRef: 'i1', e2eId, paid: 10_000, openedAt });
  const lost = { type: 'dispute.lost', disputeRef: 'i1', money: { currency: 'BRL', amount: 4_000 } };
  expect(answer).toMatchObject({ status: 'FOUND', disputes: [lost] });
});

test('what Woovi answers of a dispute without a time is no newer than the question', async () => {
  const asked = at;
  const answered = new Date(at.getTime() + 5_000);
  let now = asked;
  await using late = await ScriptedProviders.start(() => now);
  late.answering = () => {
    now = answered;
    return { body: { dispute: { status: 'IN_REVIEW', endToEndId: e2eId } } };
  };
  const answer = await late.provider('woovi').getDisputes?.({ e2eId, paid: 10_000 });
  expect(answer).toMatchObject({ disputes: [{ type: 'dispute.review', at: asked }] });
});
