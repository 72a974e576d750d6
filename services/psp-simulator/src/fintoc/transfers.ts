import { z } from 'zod';
import { parseClabe } from '@gateway/pix';
import { Charge } from '#src/account/charge.ts';
import { paymentColumns, type ReceivedPayment } from '#src/account/received-payment.ts';
import { refundColumns, type Refund } from '#src/account/refund.ts';
import { transferColumns, type Transfer } from '#src/account/transfer.ts';
import { transferPlan } from '#src/faults/magic.ts';
import { chargeIdOf, invalid, keyReused, pageQuerySchema } from '#src/fintoc/account-numbers.ts';
import {
  paymentPaidFrom,
  fintocAccount,
  FintocError,
  magicClabes,
  notFound,
  payerClabe,
  trackingKey,
  type FintocBank,
} from '#src/fintoc/bank.ts';
import { getOwnTransfer } from '#src/fintoc/movements.ts';
import { presentInbound, presentOutbound, presentRefund } from '#src/fintoc/present.ts';
import { findTransfer, orderTransfer, returnsOf } from '#src/movements/order-transfer.ts';
import { findRefund, requestRefund, type RefundRefusal } from '#src/movements/request-refund.ts';

const textMaxCharacters = 40;

export const transferRequestSchema = z.object({
  account_id: z.string(),
  amount: z.int().positive(),
  currency: z.literal('MXN'),
  counterparty: z.object({
    account_number: z.string(),
    holder_name: z.string().max(textMaxCharacters).optional(),
    holder_id: z.string().max(20).optional(),
  }),
  comment: z.string().max(textMaxCharacters).optional(),
  metadata: z.record(z.string(), z.string()).default({}),
});
type TransferRequest = z.infer<typeof transferRequestSchema>;

/** `POST /v2/transfers`: once for each key of idempotency. Money to a payer goes back, all other money goes out. */
export async function postTransfer(bank: FintocBank, key: string, body: unknown): Promise<object> {
  const request = transferRequestSchema.safeParse(body);
  if (!request.success) throw invalid(request.error);
  if (request.data.account_id !== bank.accountId) throw notFound;
  const { account_number: clabe } = request.data.counterparty;
  if (!parseClabe(clabe).ok) throw new FintocError('invalid_account_number', 'The account number is not valid');
  const paymentId = paymentPaidFrom(clabe);
  return paymentId === null
    ? await sendOut(bank, key, request.data)
    : await sendBack(bank, key, request.data, paymentId);
}

async function sendOut(bank: FintocBank, key: string, request: TransferRequest): Promise<object> {
  const { amount, counterparty } = request;
  const { account_number: clabe } = counterparty;
  const existing = await findTransfer(bank.database, fintocAccount, key);
  if (existing) return await again(bank, existing, request);
  const plan = transferPlan(amount, keyOf(clabe));
  if (plan === 'refused') throw new FintocError('transfer_not_allowed', 'The transfer is not allowed');
  if (plan === 'key_not_found') throw new FintocError('non_existing_account', 'The account does not exist');
  if (plan === 'no_balance') throw new FintocError('insufficient_funds', 'The account has insufficient funds');
  const details = detailsOf(request);
  const order = { dialect: fintocAccount, reference: key, amount, destinationKey: clabe, plan, details } as const;
  const transfer = await orderTransfer(bank, { ...order, e2eId: trackingKey('SIM') });
  if (transfer) return presentOutbound(transfer, 0);
  const winner = await findTransfer(bank.database, fintocAccount, key);
  if (!winner) throw new Error('a used key has no transfer');
  return await again(bank, winner, request);
}

async function again({ database }: FintocBank, transfer: Transfer, request: TransferRequest): Promise<object> {
  const { amount, destinationKey } = transfer;
  if (amount !== request.amount || destinationKey !== request.counterparty.account_number) throw keyReused();
  return presentOutbound(transfer, await returnedOf(database, transfer.id));
}

function detailsOf({ comment, counterparty, metadata }: TransferRequest): Record<string, unknown> {
  const { holder_id: holderId, holder_name: holderName } = counterparty;
  return {
    metadata,
    ...(comment === undefined ? {} : { comment }),
    ...(holderId === undefined ? {} : { holder_id: holderId }),
    ...(holderName === undefined ? {} : { holder_name: holderName }),
  };
}

/** A payer's bank takes no more back than it sent. */
const refusals: Record<RefundRefusal, FintocError> = {
  reference_used: keyReused(),
  more_than_paid: new FintocError('exceeds_account_limit', 'The account takes no more'),
  too_late: new FintocError('canceled_account', 'The account is closed'),
};

async function sendBack(bank: FintocBank, key: string, request: TransferRequest, paymentId: number): Promise<object> {
  const { amount } = request;
  const clabe = payerClabe(paymentId);
  const known = await findRefund(bank.database, fintocAccount, key);
  if (known && known.amount !== amount) throw keyReused();
  if (known) return presentRefund(known, clabe);
  const outcome = await bank.database.transaction(async (tx) => {
    const [payment] = await tx.sql<ReceivedPayment>(
      `select ${paymentColumns} from received_payment p where p.id = $1 and p.dialect = $2`,
      [paymentId, fintocAccount],
    );
    if (!payment) throw new FintocError('non_existing_account', 'The account does not exist');
    const description = JSON.stringify(detailsOf(request));
    const order = { payment, reference: key, amount, description, now: bank.now() };
    return await requestRefund(tx, { ...order, returnId: trackingKey('DEV') });
  });
  if (typeof outcome === 'string') throw refusals[outcome];
  return presentRefund(outcome, clabe);
}

async function returnedOf(database: FintocBank['database'], transferId: number): Promise<number> {
  return (await returnsOf(database, transferId)).reduce((sum, { amount }) => sum + amount, 0);
}

/** `GET /v2/transfers/{id}` */
export async function getTransfer(bank: FintocBank, id: string): Promise<object> {
  const [, kind, digits] = /^tr_(in|out|back|own)(\d{1,15})$/.exec(id) ?? [];
  if (kind === undefined) throw notFound;
  if (kind === 'own') return await getOwnTransfer(bank, Number(digits));
  const [found] = await presented(bank, [{ kind, id: Number(digits) }]);
  if (!found) throw notFound;
  return found;
}

const listQuerySchema = pageQuerySchema.extend({
  account_id: z.string().optional(),
  account_number_id: z.string().optional(),
  direction: z.enum(['inbound', 'outbound']).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});

/** `GET /v2/transfers`: the newest first, in both directions where none is named. */
export async function listTransfers(bank: FintocBank, query: unknown): Promise<object[]> {
  const parsed = listQuerySchema.safeParse(query);
  if (!parsed.success) throw invalid(parsed.error);
  const { account_number_id: number, direction = null, since = null, until = null, limit } = parsed.data;
  const chargeId = number === undefined ? null : chargeIdOf(number);
  const rows = await bank.database.query<{ kind: string; id: number }>(
    `with every as (
       select 'in' as kind, p.id, p.paid_at as at from received_payment p
        where p.dialect = $1 and $2::text is distinct from 'outbound' and ($3::bigint is null or p.charge_id = $3)
       union all
       select 'out', t.id, t.requested_at from transfer t
        where t.dialect = $1 and $2::text is distinct from 'inbound' and $3::bigint is null
       union all
       select 'back', r.id, r.requested_at from refund r join received_payment p on p.id = r.payment_id
        where p.dialect = $1 and $2::text is distinct from 'inbound' and $3::bigint is null)
     select kind, id from every
      where ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at <= $5)
        and ($6::text is null or (at, kind, id) < (select at, kind, id from every where 'tr_' || kind || id = $6))
      order by at desc, kind desc, id desc limit $7`,
    [fintocAccount, direction, chargeId, since, until, parsed.data.starting_after ?? null, limit],
  );
  return await presented(bank, rows);
}

interface TransferKey {
  readonly kind: string;
  readonly id: number;
}

/** In the order that is asked for; what there is none of is left out. */
async function presented(bank: FintocBank, keys: readonly TransferKey[]): Promise<object[]> {
  const idsOf = (kind: string) => keys.filter((key) => key.kind === kind).map(({ id }) => id);
  const found = new Map([
    ...(await presentedIn(bank, idsOf('in'))),
    ...(await presentedOut(bank, idsOf('out'))),
    ...(await presentedBack(bank, idsOf('back'))),
  ]);
  return keys.flatMap(({ kind, id }) => found.get(`${kind}${id}`) ?? []);
}

type Presented = readonly (readonly [key: string, transfer: object])[];

async function presentedIn({ database }: FintocBank, ids: readonly number[]): Promise<Presented> {
  const payments = await database.query<ReceivedPayment>(
    `select ${paymentColumns} from received_payment p where p.id = any($1) and p.dialect = $2`,
    [ids, fintocAccount],
  );
  const charges = await database.reader().find(Charge, { id: { $in: payments.map(({ chargeId }) => chargeId) } });
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  return payments.flatMap((payment) => {
    const charge = byId.get(payment.chargeId);
    return charge ? [[`in${payment.id}`, presentInbound(payment, charge)] as const] : [];
  });
}

async function presentedOut({ database }: FintocBank, ids: readonly number[]): Promise<Presented> {
  const transfers = await database.query<Transfer & { readonly returned: number }>(
    `select ${transferColumns}, (select coalesce(sum(b.amount), 0) from transfer_return b where b.transfer_id = t.id)::bigint
       as returned from transfer t where t.id = any($1) and t.dialect = $2`,
    [ids, fintocAccount],
  );
  return transfers.map((transfer) => [`out${transfer.id}`, presentOutbound(transfer, transfer.returned)] as const);
}

async function presentedBack({ database }: FintocBank, ids: readonly number[]): Promise<Presented> {
  const refunds = await database.query<Refund>(
    `select ${refundColumns} from refund r join received_payment p on p.id = r.payment_id
      where r.id = any($1) and p.dialect = $2`,
    [ids, fintocAccount],
  );
  return refunds.map((refund) => [`back${refund.id}`, presentRefund(refund, payerClabe(refund.paymentId))] as const);
}

/** The plans are named by the keys of PIX. */
function keyOf(clabe: string): string {
  const [name] = Object.entries(magicClabes).find(([, value]) => value === clabe) ?? [];
  return name === undefined ? clabe : `${name}@simulator.test`;
}
