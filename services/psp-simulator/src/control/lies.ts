import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { Tx } from '@gateway/persistence';
import type { DialectName } from '#src/account/charge.ts';
import { paymentColumns, type ReceivedPayment } from '#src/account/received-payment.ts';
import type { Refund } from '#src/account/refund.ts';
import { returnId } from '#src/account/spi-ids.ts';
import type { CobDetails } from '#src/bacen/cob-request.ts';
import { presentPix } from '#src/bacen/pix.ts';
import { dialectOf, enqueue } from '#src/bank/announce.ts';
import type { BankEvent, Message } from '#src/bank/bank-event.ts';
import { bankIspb, type Bank, type Dialects } from '#src/bank/bank.ts';
import { activeTargetsOf } from '#src/bank/targets.ts';
import type { LieRequest } from '#src/control/lie-requests.ts';
import { chargeOf, transferOf } from '#src/control/operations.ts';

interface Lie {
  readonly dialect: DialectName;
  readonly messages: readonly (Pick<Message, 'topic'> & { readonly body: object | string })[];
}

/**
 * Sends notifications of what has not happened, in the words of the dialect: the bank's own books stay as they are, so
 * that a question is answered otherwise.
 *
 * @throws NotFoundError when the record is not there
 */
export async function lie(bank: Bank, request: LieRequest): Promise<{ readonly sent: number }> {
  const at = bank.now();
  const { signing, copies, delay_ms: delayMs } = request;
  const sent = await bank.database.transaction(async (tx) => {
    const { dialect, messages } = await lieOf(tx, bank.dialects, request, at);
    let count = 0;
    for (const message of messages) {
      for (const { url, secret } of await activeTargetsOf(tx, dialect, message.topic)) {
        await enqueue(tx, { url, secret, dialect: bank.dialects[dialect], message, at, delayMs, copies, signing });
        count += copies;
      }
    }
    return count;
  });
  bank.wake();
  return { sent };
}

async function lieOf(tx: Tx, dialects: Dialects, request: LieRequest, at: Date): Promise<Lie> {
  switch (request.about) {
    case 'payment':
      return await messagesAbout(tx, dialects, await unpaid(tx, dialects, request, at));
    case 'transfer': {
      const transfer = await transferOf(tx, request.reference);
      const failureCode = request.result === 'failed' ? 'AC03' : null;
      const status = request.result === 'failed' ? 'FAILED' : 'PAID';
      const claimed = { ...transfer, amount: request.amount_cents ?? transfer.amount, status, failureCode } as const;
      return await messagesAbout(tx, dialects, {
        kind: 'transfer',
        transfer: { ...claimed, settledAt: at },
        returns: [],
        at,
      });
    }
    case 'return': {
      const transfer = { ...(await transferOf(tx, request.reference)), status: 'PAID', settledAt: at } as const;
      const id = dialects[transfer.dialect as DialectName].returnId(at);
      const returns = [{ returnId: id, amount: request.amount_cents ?? transfer.amount, returnedAt: at }];
      return await messagesAbout(tx, dialects, { kind: 'transfer-return', transfer, returns, at });
    }
    case 'dispute':
      return await contested(tx, dialects, request, at);
    case 'anything':
      return { dialect: request.dialect, messages: await anything(tx, request) };
  }
}

async function messagesAbout(tx: Tx, dialects: Dialects, event: BankEvent): Promise<Lie> {
  const dialect = dialectOf(event);
  return { dialect, messages: await dialects[dialect].messagesOf(tx, event) };
}

async function unpaid(
  tx: Tx,
  dialects: Dialects,
  request: Extract<LieRequest, { about: 'payment' }>,
  at: Date,
): Promise<Extract<BankEvent, { kind: 'payment' }>> {
  const charge = await chargeOf(tx, request.reference);
  const dialect = dialects[charge.dialect as DialectName];
  const payment: ReceivedPayment = {
    id: 0,
    dialect: charge.dialect,
    chargeId: charge.id,
    e2eId: request.e2e_id ?? dialect.paymentId(at),
    amount: request.amount_cents ?? charge.amount,
    payer: dialect.usualPayer,
    paidAt: at,
  };
  return { kind: 'payment', payment, charge, at };
}

/** At Woovi a dispute that was never opened; in the Pix API a return under MED, its only word for one. */
async function contested(
  tx: Tx,
  dialects: Dialects,
  request: Extract<LieRequest, { about: 'dispute' }>,
  at: Date,
): Promise<Lie> {
  const [payment] = await tx.sql<ReceivedPayment>(
    `select ${paymentColumns} from received_payment p where p.e2e_id = $1`,
    [request.reference],
  );
  if (!payment) throw new NotFoundError('payment');
  const amount = request.amount_cents ?? payment.amount;
  if (payment.dialect === 'woovi') {
    const dispute = {
      ...{ id: crypto.randomUUID(), dialect: 'woovi', paymentId: payment.id, e2eId: payment.e2eId, amount },
      ...{ status: request.status, reason: 'Golpe', defence: null, documents: [] },
      ...{ openedAt: at, dueAt: at, changedAt: at },
    };
    return await messagesAbout(tx, dialects, { kind: 'dispute', dispute, at });
  }
  if (payment.dialect !== 'bacen' && payment.dialect !== 'efi') {
    throw new DomainError('INVALID_STATE', 'the dialect has no word for a dispute');
  }
  const [charge] = await tx.sql<{ reference: string; details: CobDetails }>(
    'select reference, details from charge where id = $1',
    [payment.chargeId],
  );
  if (!charge) throw new NotFoundError('charge');
  const taken: Refund = {
    ...{ id: 0, paymentId: payment.id, reference: crypto.randomUUID().replaceAll('-', ''), amount },
    ...{ returnId: returnId(bankIspb, at), nature: 'MED_FRAUDE', description: null, status: 'DONE', failure: null },
    ...{ requestedAt: at, settledAt: at },
  };
  const { chave: key } = charge.details;
  const item = presentPix({ payment, txid: charge.reference, key, refunds: [taken] });
  return { dialect: payment.dialect, messages: [{ topic: key, body: { pix: [item] } }] };
}

/** The given bytes, to one address that is registered. */
async function anything(
  tx: Tx,
  { dialect, body }: Extract<LieRequest, { about: 'anything' }>,
): Promise<Lie['messages']> {
  const [target] = await tx.sql<{ topic: string }>(
    'select topic from notification_target where dialect = $1 and active order by created_at limit 1',
    [dialect],
  );
  return target ? [{ topic: target.topic, body }] : [];
}
