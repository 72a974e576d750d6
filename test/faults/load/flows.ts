import type { Json } from '../../support/merchant-client.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Environment } from './book.ts';
import { expectStatus } from './careful-client.ts';
import { createDeposit } from './create-deposit.ts';
import type { Merchant } from './merchant.ts';

/** One round of one flow: from the first call to the last answer. */
export type Flow = (merchant: Merchant, name: string, random: SeededRandom) => Promise<void>;

const amountMinCents = 100;
const amountMaxCents = 5_000;

const recipient = {
  pix_key: 'maria@example.com',
  pix_key_type: 'email',
  recipient: { name: 'Maria da Silva', document: '52998224725' },
};

const amountOf = (random: SeededRandom): number => random.integer(amountMinCents, amountMaxCents);

/** A SPEI account to pay to. */
const clabe = { payout_key: '002010077777777771', payout_key_type: 'clabe' };
const beneficiary = { name: 'Juan Perez', document: 'XAXX010101000' };

const referenceOf = (id: string): string => id.slice(id.indexOf('_') + 1);

async function refund(
  { clients, book }: Merchant,
  deposit: { id: string; environment: Environment; amount: number },
  externalId: string,
): Promise<void> {
  const wanted = { amount_cents: deposit.amount, external_id: externalId };
  const path = `/v1/deposits/${deposit.id}/refunds`;
  const { body } = expectStatus(await clients[deposit.environment].post(path, wanted), 200, 201);
  const { environment, amount } = deposit;
  book.write(book.refunds, { id: body.refund.id, externalId, environment, amount, depositId: deposit.id });
}

const testDeposit: Flow = async (merchant, name, random) => {
  const amount = amountOf(random);
  const id = await createDeposit(merchant, 'test', name, amount);
  const { body } = expectStatus(await merchant.clients.test.post(`/v1/test/deposits/${id}/pay`), 200);
  if (body.status !== 'PAID') throw new Error(`${id} was answered ${body.status} by its payment`);
  merchant.book.deposits.get(id)!.isPaid = true;
  if (!random.oneIn(3)) return;
  const part = random.oneIn(2) ? amount : Math.ceil(amount / 2);
  await refund(merchant, { id, environment: 'test', amount: part }, `${name}-refund`);
};

const liveDeposit: Flow = async (merchant, name, random) => {
  const amount = amountOf(random);
  const id = await createDeposit(merchant, 'live', name, amount);
  await merchant.bank.payOnce(referenceOf(id));
  merchant.book.deposits.get(id)!.isPaid = true;
  const refunded = new Set([...merchant.book.refunds.values()].map(({ depositId }) => depositId));
  const earlier = [...merchant.book.deposits.values()].filter(
    (deposit) =>
      deposit.environment === 'live' && deposit.externalId.startsWith('live-deposit') && !refunded.has(deposit.id),
  );
  if (!random.oneIn(3)) return;
  const chosen = random.pick(earlier);
  const { body } = await merchant.clients.live.get(`/v1/deposits/${chosen.id}`);
  if (body.status === 'PAID') await refund(merchant, chosen, `${name}-refund`);
};

function payout(environment: Environment): Flow {
  return async ({ clients, book }, name, random) => {
    const amount = amountOf(random);
    const wanted = { amount_cents: amount, external_id: name, ...recipient };
    const { status, body } = expectStatus(await clients[environment].post('/v1/payouts', wanted), 200, 201, 504);
    const id: string = status === 504 ? body.error.payout_id : body.payout.id;
    book.write(book.payouts, { id, externalId: name, environment, amount, isUncertain: status === 504 });
  };
}

/** A charge that is never paid: whatever is notified of it, nothing came. */
const liveUnpaid: Flow = async (merchant, name, random) => {
  await createDeposit(merchant, 'live', name, amountOf(random), random.oneIn(3) ? 'MXN' : 'BRL');
};

/** A payer takes the money back by MED, or tries to. */
const liveDispute: Flow = async (merchant, name, random) => {
  const amount = amountOf(random);
  const id = await createDeposit(merchant, 'live', name, amount);
  const reference = referenceOf(id);
  const payment = await merchant.bank.payOnce(reference);
  merchant.book.deposits.get(id)!.isPaid = true;
  // Only Woovi notifies of disputes: where a seed has no time to read lists, the others have none.
  if (payment.dialect !== 'woovi' && !merchant.readsLists) return;
  // The Pix API alone knows no dispute, only money that was taken back.
  const result = payment.dialect === 'bacen' ? 'ACCEPTED' : random.pick(['ACCEPTED', 'REJECTED'] as const);
  merchant.book.contested.set(id, { depositId: id, amount, result });
  const { id: disputeId } = await merchant.bank.control(`/payments/${payment.e2eId}/dispute`, {});
  await merchant.bank.control(`/disputes/${disputeId}/resolve`, { result });
};

const speiDeposit: Flow = async (merchant, name, random) => {
  const id = await createDeposit(merchant, 'live', name, amountOf(random), 'MXN');
  await merchant.bank.payOnce(referenceOf(id));
  merchant.book.deposits.get(id)!.isPaid = true;
};

const speiPayout: Flow = async ({ clients, book }, name, random) => {
  const amount = amountOf(random);
  const wanted = { amount, currency: 'MXN', external_id: name, ...clabe, recipient: beneficiary };
  const { status, body } = expectStatus(await clients.live.post('/v1/payouts', wanted), 200, 201, 504);
  const id: string = status === 504 ? body.error.payout_id : body.payout.id;
  const record = {
    id,
    externalId: name,
    environment: 'live',
    amount,
    currency: 'MXN',
    isUncertain: status === 504,
  } as const;
  book.write(book.payouts, record);
};

/** The receiving bank sends a part of an earlier payout back, if it has been paid by now. */
const liveReturn: Flow = async ({ bank, book }, _name, random) => {
  const sent = [...book.payouts.values()].filter(({ environment }) => environment === 'live');
  if (sent.length === 0) return;
  const { id, amount } = random.pick(sent);
  await bank.tryControl(`/transfers/${referenceOf(id)}/return`, {
    amount_cents: random.integer(1, Math.ceil(amount / 4)),
  });
};

const conversion: Flow = async ({ clients, book }, name, random) => {
  const amount = amountOf(random);
  const wanted = { from: 'BRL', to: 'USDT', amount, external_id: name };
  const { body } = expectStatus(await clients.test.post('/v1/conversions', wanted), 200, 201);
  const { id, to_amount: gave } = body.conversion;
  book.write(book.conversions, { id, externalId: name, environment: 'test', amount, gave });
};

const connector: Flow = async (merchant, name, random) => {
  const amount = amountOf(random);
  if (random.oneIn(2)) {
    const wanted = { externalId: name, pixKey: 'maria@example.com', payment: { amount: decimal(amount) } };
    const sent: Json = await merchant.connector('POST', '/compat/cli/payment/pix/pix-key', wanted);
    const record = { id: sent.paymentId, externalId: name, environment: 'test', amount, isUncertain: false } as const;
    merchant.book.write(merchant.book.payouts, record);
    return;
  }
  const wanted = { value: decimal(amount), expiration: 0, externalId: name, payerDocument: '' };
  const { paymentId: id } = await merchant.connector('POST', '/compat/cli/payment/pix/generate-pix', wanted);
  const record = { id, externalId: name, environment: 'test', amount, isPaid: false } as const;
  const deposit = merchant.book.write(merchant.book.deposits, record);
  expectStatus(await merchant.clients.test.post(`/v1/test/deposits/${id}/pay`), 200);
  deposit.isPaid = true;
};

const decimal = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Everything merchants do, each by a caller of its own. */
export const flows: Readonly<Record<string, Flow>> = {
  'test-deposit': testDeposit,
  'live-deposit': liveDeposit,
  'test-payout': payout('test'),
  'live-payout': payout('live'),
  'live-unpaid': liveUnpaid,
  'live-dispute': liveDispute,
  'live-return': liveReturn,
  'spei-deposit': speiDeposit,
  'spei-payout': speiPayout,
  conversion,
  connector,
};
