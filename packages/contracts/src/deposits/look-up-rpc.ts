import { z } from 'zod';
import { operatorDepositSchema } from '#src/deposits/operator-deposit.ts';
import { defineRpc } from '#src/messages/define.ts';

/**
 * Asks the provider of a deposit for its payments now, and takes each that is not on record. PROVIDER_UNAVAILABLE when it
 * does not answer.
 */
export const lookUpDeposit = defineRpc({
  subject: 'rpc.deposits.look-up-deposit.v1',
  owner: 'deposits',
  request: z.object({ id: z.string() }),
  reply: z.object({ before: operatorDepositSchema, deposit: operatorDepositSchema }),
});
