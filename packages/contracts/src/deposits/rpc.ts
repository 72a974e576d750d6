import { z } from 'zod';
import { accountSchema } from '#src/accounts/account.ts';
import { depositSchema, depositStatusSchema, metadataSchema, payerSchema } from '#src/deposits/deposit.ts';
import { apiVersionSchema, environmentSchema } from '#src/environment.ts';
import { idSchema } from '#src/ids/id.ts';
import { defineRpc } from '#src/messages/define.ts';
import { currencySchema, paymentMethodSchema } from '#src/money/currency.ts';
import { amountSchema } from '#src/money/money.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };

/** Creates a charge once per (environment, account, externalId); a repeat answers the record as it is, `created` false. */
export const createDeposit = defineRpc({
  subject: 'rpc.deposits.create-deposit.v1',
  owner: 'deposits',
  request: z.object({
    environment: environmentSchema,
    account: accountSchema,
    apiVersion: apiVersionSchema,
    externalId: z.string().min(1).max(120),
    currency: currencySchema,
    paymentMethod: paymentMethodSchema,
    amount: amountSchema,
    payer: payerSchema.nullable(),
    expiresInSec: z.int().min(60).max(2_592_000),
    callbackUrl: z.string().nullable(),
    metadata: metadataSchema,
  }),
  reply: z.object({ created: z.boolean(), deposit: depositSchema }),
});

export const getDeposit = defineRpc({
  subject: 'rpc.deposits.get-deposit.v1',
  owner: 'deposits',
  request: z.object({ ...owner, id: z.string() }),
  reply: z.object({ deposit: depositSchema }),
});

/** A page of deposits, newest first. An unknown or foreign cursor is a VALIDATION_ERROR naming `cursor`. */
export const listDeposits = defineRpc({
  subject: 'rpc.deposits.list-deposits.v1',
  owner: 'deposits',
  request: z.object({
    ...owner,
    limit: z.int().min(1).max(200),
    cursor: z.string().optional(),
    status: depositStatusSchema.optional(),
    externalId: z.string().optional(),
  }),
  reply: z.object({ deposits: z.array(depositSchema), nextCursor: z.string().nullable() }),
});

/** Test environment only: pays the charge as a payer would. Answers when the deposit is PAID and credited. */
export const simulatePayment = defineRpc({
  subject: 'rpc.deposits.simulate-payment.v1',
  owner: 'deposits',
  request: z.object({ ...owner, environment: z.literal('test'), id: z.string() }),
  reply: z.object({ deposit: depositSchema }),
});
