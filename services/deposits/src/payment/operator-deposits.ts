import { raw } from '@mikro-orm/core';
import type {
  getOperatorDeposit as getContract,
  listOperatorDeposits as listContract,
  OperatorDeposit,
  ReceivedPayment,
  ReceivedTransfer,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { environmentSchema, type Environment } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import { toProviderReference } from '@gateway/pix';
import { pageOf, readInTime, wantedIds, wantedValues, type Database, type IdRange } from '@gateway/persistence';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import { receiptName } from '#src/deposit/receipt-name.ts';
import { depositsPaidWith } from '#src/deposit/read-deposits.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { UnknownCursorError } from '#src/errors.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';
import { PaymentEntity, TransferEntity, type PaymentRow, type TransferRow } from '#src/payment/payment-entity.ts';

type Reader = ReturnType<Database['reader']>;
type Request = RequestOf<typeof listContract>;

/** The record as operators see it. */
function toOperatorDeposit(row: DepositRow): OperatorDeposit {
  const { provider, reference, providerRef, traceId } = row;
  return { ...toDeposit(row), provider, reference, providerRef: providerRef ?? null, traceId: traceId ?? null };
}

/** With every payment and transfer that arrived for it. @throws NotFoundError */
export async function getOperatorDeposit(
  { database }: Pick<PaymentDependencies, 'database'>,
  { id }: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  const em = database.reader();
  const deposit = await readOperatorDeposit(em, id);
  const ofDeposit = { environment: deposit.environment, accountId: deposit.accountId, depositId: id };
  const payments = await em.find(PaymentEntity, ofDeposit);
  const transfers = await em.find(TransferEntity, ofDeposit, { orderBy: { paidAt: 'asc', e2eId: 'asc' } });
  return {
    deposit,
    payments: payments.map(toReceivedPayment),
    transfers: transfers.map(toReceivedTransfer),
  };
}

/** @throws NotFoundError */
export async function readOperatorDeposit(em: Reader, id: string): Promise<OperatorDeposit> {
  const row = isId('deposit', id) ? await findByIdAlone(em, id) : null;
  if (!row) throw new NotFoundError('deposit');
  return toOperatorDeposit(row);
}

/**
 * The reference at the provider is the id without its prefix, and unique, so its index finds a deposit without the account
 * and gives the order of creation too. An index by id would cost every creation an entry.
 */
async function findByIdAlone(em: Reader, id: string): Promise<DepositRow | null> {
  const reference = toProviderReference(id);
  const environments = { $in: [...environmentSchema.options] };
  const row = await em.findOne(DepositEntity, { environment: environments, reference, state: { $ne: 'CREATING' } });
  return row?.id === id ? row : null;
}

function toReceivedPayment(row: PaymentRow): ReceivedPayment {
  return { ...toReceivedTransfer(row), state: row.state, refusal: row.refusal ?? null };
}

function toReceivedTransfer(row: TransferRow): ReceivedTransfer {
  const { provider, currency, amount, payerDetails, paidAt } = row;
  const { e2eId, transferId = null } = receiptName(row);
  return { e2eId, transferId, provider, currency, amount, payerDetails, paidAt: paidAt.toISOString() };
}

/** Of all accounts, newest first: for operators. */
export async function listOperatorDeposits(
  { database }: Pick<PaymentDependencies, 'database'>,
  request: Request,
): Promise<ReplyOf<typeof listContract>> {
  const { limit, cursor, environment } = request;
  return await readInTime(database, async ({ em }) => {
    if (cursor !== undefined && !(isId('deposit', cursor) && (await findByIdAlone(em, cursor)))) {
      throw new UnknownCursorError();
    }
    const ids = request.e2eId === undefined ? undefined : await depositsPaidWith(em, request.e2eId);
    const found: DepositRow[] = [];
    for (const each of environment ? [environment] : environmentSchema.options) {
      found.push(...(await findIn(em, each, request, ids)));
    }
    // Either environment may have the newest.
    const newest = found.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    const { rows: page, nextCursor } = pageOf(newest, limit);
    return { deposits: page.map(toOperatorDeposit), nextCursor };
  });
}

/** Within an account the primary key gives the order, and over all accounts the reference does. */
async function findIn(em: Reader, environment: Environment, request: Request, ids: readonly string[] | undefined) {
  const { accountId, status, payerDocument, limit } = request;
  const { id } = wantedIds('deposit', request);
  const where = {
    $and: [
      ...wantedValues({ ...request, environment }),
      { state: status ?? { $ne: 'CREATING' as const } },
      ...(id === undefined ? [] : [accountId === undefined ? { reference: referencesOf(id) } : { id }]),
      ...(ids === undefined ? [] : [{ reference: { $in: ids.map(toProviderReference) } }]),
      ...(payerDocument === undefined ? [] : [{ [raw(`payer ->> 'document'`)]: payerDocument }]),
    ],
  };
  const orderBy = accountId === undefined ? { reference: 'desc' as const } : { id: 'desc' as const };
  return await em.find(DepositEntity, where, { orderBy, limit: limit + 1 });
}

/** References sort as their ids do. */
function referencesOf({ $gte, $lt }: IdRange): IdRange {
  return {
    ...($gte === undefined ? {} : { $gte: toProviderReference($gte) }),
    ...($lt === undefined ? {} : { $lt: toProviderReference($lt) }),
  };
}
