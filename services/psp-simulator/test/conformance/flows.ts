import { eventually } from '@gateway/test-kit';
import type { RailCurrency } from '@gateway/money';
import type { ChargeInput, ChargeReceipt, PayoutDestination, PayoutInput } from '@gateway/providers';
import { chargeInput, newReference, payoutInput, refundInput, rowsOf } from '@gateway/providers/testing';
import { magicKeys } from '#src/faults/magic.ts';
import { magicClabes } from '#src/fintoc/bank.ts';
import type { ProviderId, WireBench } from '../wire-bench.ts';

/*
 * Everything the gateway does at a provider, and everything that happens there, without faults of the wire: what is sent on
 * the way is what the description has to have.
 */

const currencyOf: Readonly<Record<ProviderId, RailCurrency>> = { bacen: 'BRL', efi: 'BRL', woovi: 'BRL', spei: 'MXN' };

const payer = {
  ...{ name: 'Fulano de Tal', document: '12345678909', email: 'fulano@example.com', phone: '+5511999999999' },
};

export async function driveEverything(bench: WireBench, id: ProviderId): Promise<void> {
  await bench.register(id);
  await driveCharges(bench, id);
  await driveRefunds(bench, id);
  if (id !== 'bacen') await drivePayouts(bench, id);
  await driveDisputes(bench, id);
  await bench.passTime(901_000);
  await driveFeeds(bench, id);
  await bench.provider(id).balance();
  await bench.register(id);
  await allNotified(bench);
}

export function moneyOf(id: ProviderId, amount: number) {
  return { currency: currencyOf[id], amount } as const;
}

export async function openCharge(bench: WireBench, id: ProviderId, change: Partial<ChargeInput> = {}) {
  const charge = chargeInput({ createdAt: bench.now(), money: moneyOf(id, 8000_00), ...change });
  const outcome = await bench.provider(id).createCharge(charge);
  if (outcome.kind !== 'accepted') throw new Error(`a charge at ${id} is ${outcome.kind}`);
  return charge;
}

export async function paidCharge(bench: WireBench, id: ProviderId) {
  const charge = await openCharge(bench, id);
  return { charge, receipt: await bench.pay(charge) };
}

async function driveCharges(bench: WireBench, id: ProviderId): Promise<void> {
  const provider = bench.provider(id);
  const look = (charge: ChargeInput) => provider.getCharge({ ref: charge.ref, charge });
  const full = await openCharge(bench, id, { payer, description: 'Pedido 7', expiresInSec: 900 });
  await provider.createCharge(full);
  await openCharge(bench, id, { payer: { name: 'Empresa', document: '12ABC34501DE35' } });
  await openCharge(bench, id, { payer: { name: 'Fulano' } });
  const canceled = await openCharge(bench, id);
  for (let times = 0; times < 2; times += 1) await provider.cancelCharge({ ref: canceled.ref, charge: canceled });
  const { charge: paid } = await paidCharge(bench, id);
  await bench.pay(paid, { amount_cents: 1 });
  await provider.cancelCharge({ ref: paid.ref, charge: paid });
  const unknown = chargeInput({ createdAt: bench.now() });
  for (const charge of [full, canceled, paid, unknown]) await look(charge);
}

async function driveRefunds(bench: WireBench, id: ProviderId): Promise<void> {
  const provider = bench.provider(id);
  const { charge, receipt } = await paidCharge(bench, id);
  const refundOf = (amount: number, e2eId = receipt.e2eId) =>
    refundInput({
      ...{ sentAt: bench.now(), money: moneyOf(id, amount), reason: 'Devolvido a pedido' },
      receipt: { e2eId, chargeRef: charge.ref },
    });
  const part = refundOf(500);
  const failing = refundOf(7000_51);
  const tooMuch = refundOf(9000_00);
  const never = refundOf(1);
  for (const refund of [part, part, failing, tooMuch]) await provider.refund(refund);
  await bench.passTime(1_000);
  for (const refund of [part, failing, tooMuch, never]) await provider.getRefund({ ref: refund.ref, refund });
  await allNotified(bench);
}

/** One of each kind that is paid, and one for each end. */
function destinationsOf(id: ProviderId): readonly PayoutDestination[] {
  if (id === 'spei') {
    return ['032180000118359719', ...Object.values(magicClabes)].map((value) => ({ type: 'clabe', value }));
  }
  return [
    { type: 'cpf', value: '12345678909' },
    { type: 'cnpj', value: '12ABC34501DE35' },
    { type: 'phone', value: '+5511999999999' },
    { type: 'random', value: '123e4567-e89b-12d3-a456-426614174000' },
    { type: 'email', value: 'somebody@example.com' },
    ...Object.values(magicKeys).map((value) => ({ type: 'email', value }) as const),
  ];
}

/** Their answers do not come: faults of the wire are looked at elsewhere. */
const unanswered: ReadonlySet<string> = new Set([magicKeys.timeout, magicClabes.timeout]);

const returnedInParts = 7000_43;

async function drivePayouts(bench: WireBench, id: ProviderId): Promise<void> {
  const provider = bench.provider(id);
  const destinations = destinationsOf(id).filter(({ value }) => !unanswered.has(value));
  const payoutTo = (destination: PayoutDestination, change: Partial<PayoutInput> = {}) =>
    payoutInput({ sentAt: bench.now(), money: moneyOf(id, 12_50), destination, description: 'Saque 9', ...change });
  const [usual] = destinations;
  if (!usual) throw new Error('nowhere to pay to');
  const returned = payoutTo(usual, { money: moneyOf(id, returnedInParts) });
  const payouts = [
    ...destinations.flatMap((destination) => [payoutTo(destination), payoutTo(destination, { verifyOwner: true })]),
    ...[7000_41, 7000_42, 7000_46].map((amount) => payoutTo(usual, { money: moneyOf(id, amount) })),
    returned,
  ];
  for (const payout of payouts) await provider.createPayout(payout);
  await provider.createPayout(returned);
  await bench.passTime(1_000);
  for (const payout of [...payouts, payoutTo(usual)]) {
    await provider.getPayout({ ref: payout.ref, payout });
    await provider.getPayoutReturns?.({ ref: payout.ref, payout });
  }
  await allNotified(bench);
}

/** One for each end, and two that are open when the lists are read. */
async function driveDisputes(bench: WireBench, id: ProviderId): Promise<void> {
  const provider = bench.provider(id);
  for (const result of ['ACCEPTED', 'REJECTED', 'CANCELED', 'UNDER_ANALYSIS', null]) {
    const { receipt } = await paidCharge(bench, id);
    if (id === 'spei') return;
    await askDisputes(bench, id, receipt);
    const { id: name } = await bench.control('POST', `/payments/${receipt.e2eId}/dispute`, { amount_cents: 100 });
    await askDisputes(bench, id, receipt);
    // Evidence takes a dispute into analysis: this one stays as it was opened.
    if (result === null) continue;
    const evidence = { e2eId: receipt.e2eId, disputeRef: String(name), ref: newReference(), text: 'Entregue' };
    await provider.submitEvidence?.({ ...evidence, documentUrls: [] });
    await provider.submitEvidence?.({
      ...evidence,
      documentUrls: ['https://example.com/1'],
      providerRef: String(name),
    });
    await bench.control('POST', `/disputes/${String(name)}/resolve`, { result });
    await askDisputes(bench, id, receipt);
    await provider.submitEvidence?.({ ...evidence, ref: newReference(), documentUrls: ['https://example.com/2'] });
  }
  await allNotified(bench);
}

async function askDisputes(bench: WireBench, id: ProviderId, { e2eId, money }: ChargeReceipt): Promise<void> {
  await bench.provider(id).getDisputes?.({ e2eId, paid: money.amount });
}

/** More than a page of payments at Woovi, where the period is divided; elsewhere small pages are asked for. */
async function driveFeeds(bench: WireBench, id: ProviderId): Promise<void> {
  if (id === 'woovi') {
    await bench.control('POST', '/flood', { dialect: 'woovi', payments: 70 });
    await bench.passTime(1_000);
    await bench.control('POST', '/flood', { dialect: 'woovi', payments: 70 });
    await bench.passTime(1_000);
  }
  const from = new Date(bench.now().getTime() - 3_600_000);
  const to = new Date(bench.now().getTime() + 60_000);
  for (const feed of bench.provider(id).feeds ?? []) {
    await rowsOf(feed, { from, to, pageItems: 3 });
    await rowsOf(feed, { from: new Date(0), to: new Date(1_000) });
  }
}

/** Waits until every notification has been delivered: a later registration takes the address away. */
export async function allNotified(bench: WireBench): Promise<void> {
  await eventually(async () => {
    const { notifications } = (await bench.control('GET', '/notifications')) as { notifications: { state: string }[] };
    const waiting = notifications.filter(({ state }) => state === 'PENDING').length;
    if (waiting > 0) throw new Error(`${waiting} notifications are waiting`);
  });
}
