import type { FoundRecord } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';
import type { OperatorTexts } from '#src/texts/operators-en.ts';

type Found = Pick<FoundRecord, 'kind' | 'status'>;
type Texts = Pick<
  OperatorTexts,
  'accounts' | 'deposits' | 'payouts' | 'refunds' | 'receipts' | 'disputes' | 'conversions'
>;

/** What kind of record it is, in words. */
export function kindOf({ kind }: Pick<Found, 'kind'>, texts: Texts): string {
  const words: Readonly<Record<Found['kind'], string>> = {
    account: texts.accounts.one,
    deposit: texts.deposits.one,
    payout: texts.payouts.one,
    refund: texts.refunds.one,
    orphan_receipt: texts.receipts.one,
    dispute: texts.disputes.one,
    conversion: texts.conversions.one,
    webhook: texts.accounts.webhooks.one,
    delivery: texts.accounts.webhooks.delivery,
  };
  return words[kind];
}

/** What a state means for its reader, whichever kind of record is in it. */
const tones: Readonly<Record<string, Tone>> = {
  ...{ PENDING: 'wait', PROCESSING: 'wait', RETURNING: 'wait', OPEN: 'wait', UNDER_ANALYSIS: 'wait' },
  ...{
    PAID: 'good',
    DONE: 'good',
    RETURNED: 'good',
    WON: 'good',
    DELIVERED: 'good',
    COMPLETED: 'good',
    enabled: 'good',
  },
  ...{ FAILED: 'bad', REJECTED: 'bad', LOST: 'bad', disabled: 'bad' },
};

/** Its state, in the words of its own page; undefined of a record without one. */
export function stateOf(
  { kind, status }: Found,
  texts: Texts,
): { readonly tone: Tone; readonly word: string } | undefined {
  if (status === null) return undefined;
  const words: Partial<Record<Found['kind'], Readonly<Record<string, string>>>> = {
    deposit: texts.deposits.status,
    payout: texts.payouts.status,
    refund: texts.refunds.status,
    orphan_receipt: texts.receipts.state,
    dispute: texts.disputes.status,
    webhook: texts.accounts.webhooks.status,
    delivery: texts.accounts.webhooks.deliveryStatus,
  };
  return { tone: tones[status] ?? 'neutral', word: words[kind]?.[status] ?? status };
}
