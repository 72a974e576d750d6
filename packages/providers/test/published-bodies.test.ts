import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargeInput } from '@gateway/providers/testing';
import type { ProviderEvent } from '#src/index.ts';
import { ScriptedProviders } from './scripted-providers.ts';

const vector = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), 'utf8'));
const woovi = vector('woovi-bodies') as Record<string, object>;
interface BacenExamples {
  readonly WebhookPixBody: { readonly pix: readonly object[] };
  readonly pixResponses: readonly { readonly endToEndId: string; readonly txid: string; readonly valor: string }[];
  readonly WebhookRecBody: object;
  readonly WebhookCobRBody: object;
  readonly cobResponses: readonly { readonly txid: string; readonly valor: { readonly original: string } }[];
}
const bacen = vector('bacen-examples') as BacenExamples;

const receivedAt = new Date('2026-03-04T05:06:07.890Z');
let scripted: ScriptedProviders;
beforeAll(async () => {
  scripted = await ScriptedProviders.start(() => receivedAt);
});
afterAll(async () => scripted[Symbol.asyncDispose]());

const source = { pathSuffix: '', remoteIp: '127.0.0.1', receivedAt };

async function eventByWoovi(content: object): Promise<ProviderEvent | undefined> {
  const body = JSON.stringify(content);
  const signature = createHmac('sha1', 'a-webhook-secret').update(body).digest('base64');
  const result = await scripted.provider('woovi').verifyAndParseNotification({
    ...{ ...source, rawBody: Buffer.from(body), headers: { 'x-openpix-signature': signature }, query: {} },
  });
  if (!result.ok) throw new Error(result.reason);
  expect(result.events).toHaveLength(1);
  return result.events[0];
}

async function eventsBy(id: 'bacen' | 'efi', content: object): Promise<readonly ProviderEvent[]> {
  const result = await scripted.provider(id).verifyAndParseNotification({
    ...{ ...source, rawBody: Buffer.from(JSON.stringify(content)), headers: {} },
    query: { hmac: 'a-secret-of-some-length' },
  });
  if (!result.ok) throw new Error(result.reason);
  expect(result.grade).toBe('hint');
  return result.events;
}

describe("the bodies of Woovi's pages", () => {
  const time = new Date('2026-01-02T03:04:05.678Z');
  const payment = 'E12345678202601020304abc00000005';
  const brl = (amount: number) => ({ currency: 'BRL', amount });

  test.each<[string, object]>([
    ['charge-completed-not-same-payer-payload', { type: 'charge.paid', money: brl(100), at: time }],
    ['charge-expired-payload', { type: 'charge.expired', at: time }],
    ['payment-payload', { type: 'payout.paid', at: time }],
    ['payment-payload-2', { type: 'payout.failed', code: 'unspecified', message: 'texto', at: time }],
    ['payment-payload-3', { type: 'payout.failed', at: receivedAt }],
    ['dispute-payload', { type: 'dispute.opened', money: brl(1000), at: receivedAt }],
    ['dispute-accept-payload', { type: 'dispute.lost', money: brl(1000), at: receivedAt }],
    ['dispute-rejected-payload', { type: 'dispute.won', at: receivedAt }],
    ['dispute-canceled-payload', { type: 'dispute.won', at: receivedAt }],
    ['refund-sent-confirmed', { type: 'refund.done', e2eId: payment, at: time }],
    ['refund-sent-rejected', { type: 'refund.failed', e2eId: payment, code: 'settlement_failed', at: time }],
    // Its parties show our account as the sender: what went back is a payment received.
    ['refund-received-confirmed', { type: 'refund.done', e2eId: payment, at: time }],
    ['refund-payload', { type: 'refund.done', chargeRef: expect.stringMatching(/^correlation-/) as string, at: time }],
    ['refund-received-rejected', { type: 'ignored' }],
    ['transaction-received-payload', { type: 'ignored' }],
    ['charge-created-payload', { type: 'ignored' }],
    ['charge-account-type', { type: 'ignored' }],
    ['qrcode-static-payload', { type: 'ignored' }],
    ['account-register-approved-payload', { type: 'ignored' }],
    ['account-register-pending-payload', { type: 'ignored' }],
    ['account-register-pending-payload-2', { type: 'ignored' }],
    ['account-register-rejected-payload', { type: 'ignored' }],
  ])('%s', async (name, expected) => {
    expect(await eventByWoovi(woovi[name] ?? {})).toMatchObject(expected);
  });

  test('are all read here', () => {
    expect(Object.keys(woovi).filter((name) => name !== 'source')).toHaveLength(22);
  });

  test('of a return say that a payout came back where our account got it', async () => {
    const shown = woovi['refund-received-confirmed'] as Record<string, Record<string, unknown>>;
    const refundTransaction = shown['refundTransaction'] ?? {};
    const { debitParty, creditParty } = refundTransaction;
    const received = { ...refundTransaction, debitParty: creditParty, creditParty: debitParty };
    const body = { ...shown, refundTransaction: received };
    const expected = { type: 'payout.returned', e2eId: payment, money: brl(10_001), at: time };
    expect(await eventByWoovi(body)).toMatchObject(expected);
    const { debitParty: _debit, creditParty: _credit, ...bare } = refundTransaction;
    const withdrawal = { endToEndId: payment, type: 'WITHDRAW' };
    const without = { event: shown['event'], refundTransaction: bare, originalTransaction: withdrawal };
    expect(await eventByWoovi(without)).toMatchObject(expected);
  });

  test('are read with either prefix', async () => {
    for (const [name, body] of Object.entries(woovi)) {
      const event = (body as { event?: string }).event;
      if (typeof body !== 'object' || !event?.includes(':')) continue;
      const [, bare = ''] = event.split(':');
      const events = await Promise.all(
        ['OPENPIX', 'woovi'].map((prefix) => eventByWoovi({ ...body, event: `${prefix}:${bare}` })),
      );
      const facts = events.map((each) => ({
        ...each,
        raw: null,
        reason: null,
        dedupeKey: each?.type === 'ignored' ? '' : each?.dedupeKey,
      }));
      expect(facts[0], name).toEqual(facts[1]);
    }
  });

  test('of a dispute may say no more than its state and its payment', async () => {
    const dispute = { status: 'OPENED', endToEndId: 'E1', id: 'D9' };
    const events = await eventByWoovi({ event: 'OPENPIX:DISPUTE_CREATED', dispute });
    expect(events).toMatchObject({ type: 'dispute.opened', e2eId: 'E1', providerRef: 'D9', at: receivedAt });
    expect(events).not.toHaveProperty('money');
    const odd = { ...dispute, value: '12,50', createdAt: 'yesterday', updatedAt: null };
    expect(await eventByWoovi({ event: 'OPENPIX:DISPUTE_CREATED', dispute: odd })).toMatchObject({
      ...{ type: 'dispute.opened', e2eId: 'E1', at: receivedAt },
    });
  });
});

describe.each(['bacen', 'efi'] as const)('the examples of the Pix API, at %s', (id) => {
  test('of a callback are payments; a return under way is none yet', async () => {
    const events = await eventsBy(id, bacen.WebhookPixBody);
    expect(events.map(({ type }) => type)).toEqual(['charge.paid', 'charge.paid']);
  });

  test('of received payments are read as what arrived, with or without its parts', async () => {
    const events = await eventsBy(id, { pix: bacen.pixResponses });
    expect(events).toMatchObject(
      bacen.pixResponses.map(({ endToEndId: e2eId, txid: ref, valor }) => ({
        ...{ type: 'charge.paid', e2eId, ref, money: { currency: 'BRL', amount: Math.round(Number(valor) * 100) } },
      })),
    );
  });

  test('of mandates and their charges are passed over with a reason', async () => {
    for (const body of [bacen.WebhookRecBody, bacen.WebhookCobRBody]) {
      expect(await eventsBy(id, body)).toMatchObject([{ type: 'ignored', at: receivedAt }]);
    }
  });

  test('of money taken back under MED are a lost dispute, not passed over', async () => {
    const [pix] = bacen.pixResponses;
    for (const [natureza, reason] of [
      ['MED_FRAUDE', 'FRAUD'],
      ['MED_OPERACIONAL', 'OPERATIONAL_FLAW'],
    ]) {
      const devolucoes = [{ id: 'M1', rtrId: 'D1', valor: '11.00', natureza, status: 'DEVOLVIDO', motivo: null }];
      const [, lost] = await eventsBy(id, { pix: [{ ...pix, devolucoes }] });
      expect(lost).toMatchObject({ type: 'dispute.lost', e2eId: pix?.endToEndId, money: { amount: 1100 }, reason });
    }
  });

  test('of charges are charges with a code, although none of them has one', async () => {
    for (const cob of bacen.cobResponses) {
      scripted.answering = () => ({ status: 201, body: cob });
      const amount = Math.round(Number(cob.valor.original) * 100);
      const charge = chargeInput({ ref: cob.txid, createdAt: receivedAt, money: { currency: 'BRL', amount } });
      const outcome = await scripted.provider(id).createCharge(charge);
      expect(outcome).toMatchObject({ kind: 'accepted', charge: { emv: expect.stringMatching(/^000201/) as string } });
    }
  });
});

describe('what must not be kept', () => {
  const texts = ['a\0b', '\ud800', 'x'.repeat(5_000)];
  const deep = JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown;

  test.each([...texts, deep])('makes its own item unreadable, and no other: %#', async (hostile) => {
    const [first, second] = bacen.pixResponses;
    const events = await eventsBy('bacen', { pix: [{ ...first, infoPagador: hostile }, second] });
    expect(events.map(({ type }) => type)).toEqual(['unreadable', 'charge.paid']);
    expect(JSON.stringify(events[0]?.raw)).not.toContain('\\u0000');
    const dispute = { status: 'OPENED', endToEndId: 'E1', name: hostile };
    expect(await eventByWoovi({ event: 'woovi:DISPUTE_CREATED', dispute })).toMatchObject({ type: 'unreadable' });
  });
});
