import { z } from 'zod';
import { failureTexts, type Transfer, type TransferStatus } from '#src/account/transfer.ts';
import { foreignOwner, magicKeys, transferPlan } from '#src/faults/magic.ts';
import { approveTransfer, findTransfer, orderTransfer } from '#src/movements/order-transfer.ts';
import { wooviDialect, WooviError, type WooviBank } from '#src/woovi/bank.ts';

const aliasTypes = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM'] as const;

export const paymentRequestSchema = z.object({
  type: z.literal('PIX_KEY'),
  value: z.int().positive(),
  destinationAlias: z.string().min(1).max(77),
  destinationAliasType: z.enum(aliasTypes),
  correlationID: z.string().min(1).max(255),
  comment: z.string().max(140).optional(),
  pixKeyEndToEndId: z.string().optional(),
  autoApprove: z.boolean().default(false),
});

const statusNames = {
  CREATED: 'CREATED',
  PROCESSING: 'APPROVED',
  PAID: 'CONFIRMED',
  FAILED: 'FAILED',
} as const satisfies Record<TransferStatus, string>;

/** How Woovi says that an id was used before: in words. */
export const duplicateIdAnswer = {
  status: 400,
  body: { error: 'Já existe um pagamento com esse correlationID' },
} as const;

/** `POST /api/v1/payment` */
export async function postPayment(bank: WooviBank, body: unknown): Promise<object> {
  const request = paymentRequestSchema.safeParse(body);
  if (!request.success) throw new WooviError(`invalid field: ${request.error.issues[0]?.path.join('.') ?? 'body'}`);
  const { value: amount, destinationAlias, destinationAliasType, correlationID, comment, autoApprove } = request.data;
  const plan = transferPlan(amount, destinationAlias);
  if (plan === 'refused') throw new WooviError('PAY_PIX_KEY_ERROR');
  if (plan === 'key_not_found') throw new WooviError('PIX_KEY_INFO_NOT_FOUND');
  if (plan === 'no_balance') throw new WooviError('NOT_ENOUGH_BALANCE');
  const transfer = await orderTransfer(bank, {
    dialect: wooviDialect,
    reference: correlationID,
    amount,
    destinationKey: destinationAlias,
    plan,
    details: { aliasType: destinationAliasType, comment },
    awaitsApproval: !autoApprove,
  });
  if (!transfer) throw new WooviError(duplicateIdAnswer.body.error);
  return presentPayment(transfer);
}

const approvalSchema = z.object({ correlationID: z.string().min(1) });

/** `POST /api/v1/payment/approve` */
export async function approvePayment(bank: WooviBank, body: unknown): Promise<object> {
  const request = approvalSchema.safeParse(body);
  if (!request.success) throw new WooviError('invalid field: correlationID');
  const transfer = await approveTransfer(bank, wooviDialect, request.data.correlationID);
  if (!transfer) throw new WooviError('Payment not found');
  return presentPayment(transfer);
}

/** `GET /api/v1/payment/{id}` */
export async function getPayment(bank: WooviBank, id: string): Promise<object> {
  const transfer = await findTransfer(bank.database, wooviDialect, id);
  if (!transfer) throw new WooviError('Payment not found');
  return presentPayment(transfer);
}

/** `GET /api/v1/pix-keys/{pixKey}/check`: every key belongs to the usual person, but for the magic ones. */
export function checkKey(key: string, e2eId: string): object {
  if (key === magicKeys.refuse) throw new WooviError('PIX_KEY_INFO_NOT_FOUND', 404);
  const owner = key === magicKeys.owner ? foreignOwner : { name: 'FULANO DE TAL', document: '12345678909' };
  const account = { account: '00000000000000012345', branch: '0001', psp: 'BANCO SIMULADO' };
  return { pixKey: key, pixKeyEndToEndId: e2eId, owner: { name: owner.name, taxID: owner.document, ...account } };
}

/** Payment, transaction and destination as Woovi answers them. */
function presentPayment(transfer: Transfer): { readonly payment: object; readonly destination: object } {
  const { aliasType, comment = '' } = transfer.details as { aliasType: string; comment?: string };
  const { reference: correlationID, amount: value, destinationKey, status, failureCode } = transfer;
  const reason = failureCode === null ? null : (failureTexts[failureCode] ?? failureCode);
  return {
    payment: {
      type: 'PIX_KEY',
      value,
      status: statusNames[status],
      destinationAlias: destinationKey,
      destinationAliasType: aliasType,
      comment,
      correlationID,
    },
    ...(status === 'CREATED'
      ? {}
      : {
          transaction: {
            value,
            endToEndId: transfer.e2eId,
            time: (transfer.settledAt ?? transfer.requestedAt).toISOString(),
            ...(reason === null ? {} : { providerRejectedReason: `${failureCode} - ${reason}` }),
          },
        }),
    destination: { name: 'FULANO DE TAL', taxID: '12345678909', pixKey: destinationKey, bank: 'BANCO SIMULADO' },
  };
}

/** The same in a notification that it ended: a failure has Woovi's name and a sentence. */
export function presentNoticedPayment(transfer: Transfer): object {
  const { details, reference: correlationID, amount: value, destinationKey: destinationAlias, e2eId } = transfer;
  const { comment = '' } = details as { comment?: string };
  const { status, failureCode, settledAt, requestedAt } = transfer;
  const time = (settledAt ?? requestedAt).toISOString();
  const description = failureCode === null ? null : (failureTexts[failureCode] ?? failureCode);
  return {
    payment: { value, status: statusNames[status], destinationAlias, comment, correlationID },
    transaction: { value, endToEndId: e2eId, time },
    ...(description === null ? {} : { error: { code: 'PAY_PIX_KEY_ERROR', description } }),
  };
}
