import { available, system } from '#src/posting/posting.ts';
import type { Rule } from '#src/posting/rule.ts';

/** available ±x, suspense ∓x. */
export const adjust: Rule<'adjust'> = (command) => ({
  postings: [
    available(command, command.amount, { type: 'ADJUSTMENT', refType: 'adjustment', refId: command.adjustmentId }),
    system('suspense', command.currency, -command.amount),
  ],
  references: [],
});
