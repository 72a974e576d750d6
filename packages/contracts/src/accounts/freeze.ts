import { z } from 'zod';
import { DomainError } from '#src/errors/domain-error.ts';

/**
 * How much of an account is stopped (api.md 8): at `payouts` nothing takes money out of its balance, at `writes` it changes
 * nothing at all. Reading, webhooks, credits and payouts under way go on at both.
 */
export const freezeLevelSchema = z.enum(['payouts', 'writes']).meta({
  id: 'FreezeLevel',
  description: '`payouts`: nothing takes money out of the balance. `writes`: nothing is changed at all.',
});
export type FreezeLevel = z.infer<typeof freezeLevelSchema>;

/** That an account is frozen, as services need to know it; who froze it, and why, stays with the operators. */
export const freezeSchema = z
  .object({
    level: freezeLevelSchema.describe('What is stopped.'),
    at: z.int().meta({ description: 'When it was frozen, in Unix seconds.', examples: [1_767_348_000] }),
  })
  .meta({ id: 'Freeze', description: 'What an operator has stopped.' });
export type Freeze = z.infer<typeof freezeSchema>;

/** What an operation of a merchant does, as far as a freeze is concerned. */
export type MerchantEffect = 'read' | 'write' | 'money_out';

/** Whether a freeze stops an operation. */
export function isFrozenFor(frozen: Pick<Freeze, 'level'> | null, effect: MerchantEffect): boolean {
  if (!frozen || effect === 'read') return false;
  return frozen.level === 'writes' || effect === 'money_out';
}

/** @throws DomainError ACCOUNT_FROZEN */
export function requireNotFrozen(frozen: Pick<Freeze, 'level'> | null, effect: MerchantEffect): void {
  if (!frozen || !isFrozenFor(frozen, effect)) return;
  const left = frozen.level === 'writes' ? 'it can be read and not changed' : 'no money leaves it';
  throw new DomainError('ACCOUNT_FROZEN', `the account is frozen: ${left}`);
}
