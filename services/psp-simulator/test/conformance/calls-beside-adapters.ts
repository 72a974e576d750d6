import { chargeInput, payoutInput } from '@gateway/providers/testing';
import { moneyOf, openCharge } from './flows.ts';
import type { RecordedBench } from './recorded-bench.ts';

/*
 * What an adapter asks only at a real provider (the account is not configured, a payment waits for its approval, a key is not
 * known), or never: the simulator has it, and so it is looked at.
 */

type Call = (method: string, path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;

function callWith(origin: string, authorization: string): Call {
  return async (method, path, body) => {
    const answer = await fetch(origin + path, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
}

/** Registers in addition for the event that reports what another one reports already. */
export async function askOfWoovi(recorded: RecordedBench): Promise<void> {
  const { bench } = recorded;
  const call = callWith(recorded.recorder('woovi').url, 'AppId_simulator');
  await bench.register('woovi');
  const { webhooks } = (await call('GET', '/api/v1/webhook')) as { webhooks: { url: string }[] };
  const webhook = { name: 'received', event: 'OPENPIX:TRANSACTION_RECEIVED', url: webhooks[0]?.url, isActive: true };
  await call('POST', '/api/v1/webhook', { webhook });
  await call('GET', '/api/v1/webhook/public-keys');
  await call('GET', '/api/v1/account/');
  const charge = await openCharge(bench, 'woovi');
  await call('GET', `/api/v1/charge/${charge.ref}/refund`);
  const { ref: correlationID } = payoutInput({ sentAt: bench.now(), destination: { type: 'email', value: 'a@b.c' } });
  const payment = {
    type: 'PIX_KEY',
    value: 100,
    destinationAlias: 'a@b.c',
    destinationAliasType: 'EMAIL',
    correlationID,
  };
  await call('POST', '/api/v1/payment', { ...payment, autoApprove: false });
  await call('POST', '/api/v1/payment/approve', { correlationID });
}

export async function askOfBacen(recorded: RecordedBench, id: 'bacen' | 'efi'): Promise<void> {
  const origin = `${recorded.recorder(id).url}${id === 'bacen' ? '/bacen' : ''}`;
  const basic = Buffer.from('Client_Id_simulator:Client_Secret_simulator').toString('base64');
  const grant = await callWith(origin, `Basic ${basic}`)('POST', '/oauth/token', { grant_type: 'client_credentials' });
  const call = callWith(origin, `Bearer ${String(grant['access_token'])}`);
  const path = '/v2/webhook/recebimentos@simulator.test';
  for (const method of ['GET', 'DELETE', 'GET']) await call(method, path);
  // Without a token the description knows one answer.
  await callWith(origin, '')('GET', path);
}

/** The adapter searches by reference where it was never answered; what was answered is asked for by its id. */
export async function askOfFintoc({ bench }: RecordedBench): Promise<void> {
  const provider = bench.provider('spei');
  const charge = chargeInput({ createdAt: bench.now(), money: moneyOf('spei', 100) });
  const made = await provider.createCharge(charge);
  if (made.kind === 'accepted') {
    await provider.getCharge({ ref: charge.ref, providerRef: made.charge.providerRef, charge });
  }
  const destination = { type: 'clabe', value: '032180000118359719' } as const;
  const payout = payoutInput({ sentAt: bench.now(), money: moneyOf('spei', 100), destination });
  const sent = await provider.createPayout(payout);
  if (sent.kind === 'accepted') await provider.getPayout({ ref: payout.ref, providerRef: sent.providerRef, payout });
}
