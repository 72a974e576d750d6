import { z } from 'zod';
import { environmentSchema } from '@gateway/contracts/values';
import {
  payoutFailureReasons,
  pendingReasonSchema,
  payoutKeyTypeSchema,
  payoutKindSchema,
  payoutStatusSchema,
} from '@gateway/contracts/payouts';
import { foreignCurrencySchema } from '#src/shared/foreign-currency.ts';
import { isoTime, minorUnits, objectName, recordId, shownMetadata, text, unixSeconds } from '#src/shared/members.ts';

const recipientResourceSchema = z
  .object({
    name: text(
      'The full name of the recipient; null where a client of the connector has not named them.',
      'Maria Souza',
    ).nullable(),
    document: text(
      'The tax document of the recipient, without punctuation; null where a client of the connector has not named it.',
      '12345678909',
    ).nullable(),
    email: text(
      'The e-mail address of the recipient; null when none was given, or a malformed one.',
      'maria@example.com',
    ).nullable(),
    phone: text('The phone number of the recipient.', '+5511987654321').nullable(),
  })
  .meta({ id: 'PayoutRecipient', description: 'Who gets the money, as the creating call named them.' });

/** A payout as contract 0.1 shows it (spec 2.2, api.md 2); every member is always present. */
export const payoutResourceSchema = z
  .object({
    id: recordId('payout', 'The id of the payout.'),
    object: objectName('payout'),
    external_id: text("The merchant's own reference, from the creating call.", 'withdrawal-7'),
    status: payoutStatusSchema.describe('What has become of the payout.'),
    pending_reason: pendingReasonSchema
      .nullable()
      .describe(
        'Why a PENDING payout waits for approval: a rule, a limit of the account, or an account whose payouts are all ' +
          'approved by an operator. null for every other status.',
      ),
    amount_cents: minorUnits('What the recipient gets.', 12_500),
    currency: foreignCurrencySchema,
    fee_cents: minorUnits('What is taken from the balance besides.', 50),
    returned_cents: minorUnits('What the bank of the recipient has sent back since.', 0),
    pix_key: text('The key that the money goes to, as its directory writes it.', 'maria@example.com'),
    pix_key_type: payoutKeyTypeSchema.describe('What `pix_key` is.'),
    recipient: recipientResourceSchema,
    kind: payoutKindSchema.describe('What the payout is for.'),
    e2e_id: text(
      'The id of the payment on its rail, once there is one.',
      'E12345678202601021004abcdef12345',
    ).nullable(),
    failure_reason: text(
      `Why it failed or was refused, as a word to act upon; null, or one of ${payoutFailureReasons.join(', ')}.`,
      'owner_mismatch',
    ).nullable(),
    failure_message: text(
      'The same for people, in the language of `Accept-Language`: `pt`, `es` or `en`.',
      'The key or account belongs to somebody other than the named recipient.',
    ).nullable(),
    metadata: shownMetadata(),
    environment: environmentSchema.describe('The environment of the key that created it.'),
    created_at: unixSeconds('When it was created.', 1_767_348_100),
    paid_at: isoTime('When the bank of the recipient took it; null before.').nullable(),
  })
  .meta({ id: 'Payout', description: 'A transfer of money to a recipient.' });
export type PayoutResource = z.infer<typeof payoutResourceSchema>;

const returnedPartSchema = z
  .object({
    id: recordId('payoutReturn', 'The id of this part.'),
    amount_cents: minorUnits('What came back.', 2_500),
    e2e_id: text(
      'The id of the return on its rail, where there is one.',
      'D12345678202601031006abcdef12345',
    ).nullable(),
    returned_at: isoTime("When it came back, by the provider's clock.", '2026-01-03T10:06:37.250Z'),
  })
  .meta({ id: 'PayoutReturn', description: 'A part of a paid payout that was sent back.' });

export const returnedPayoutResourceSchema = payoutResourceSchema
  .extend({ return: returnedPartSchema.describe('The part that this event is about.') })
  .meta({ id: 'ReturnedPayout', description: 'A payout with the part of it that came back.' });
