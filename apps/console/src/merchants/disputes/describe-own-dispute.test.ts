import { expect, test } from 'vitest';
import type { Dispute, LedgerEntry } from '#src/generated/merchants/types.gen.ts';
import { byDeadline, timelineOf } from '#src/merchants/disputes/describe-own-dispute.ts';
import { merchantsEn } from '#src/texts/merchants-en.ts';

const due = (id: string, at: string | null) => ({ id, defense_due_at: at }) as Dispute;

test('the dispute with the nearest deadline comes first, one without a deadline last', () => {
  const disputes = [
    due('none-1', null),
    due('later', '2026-01-03T00:00:00.000Z'),
    due('sooner', '2026-01-02T00:00:00.000Z'),
    due('none-2', null),
  ];
  expect(byDeadline(disputes).map(({ id }) => id)).toEqual(['sooner', 'later', 'none-1', 'none-2']);
});

test('what happened to a dispute is shown oldest first: opened, blocked, evidence that was handed over, the decision', () => {
  const opened = '2026-01-01T00:00:00.000Z';
  const evidence = [
    { status: 'ACCEPTED', sent_at: '2026-01-02T00:00:00.000Z' },
    { status: 'WAITING', sent_at: null },
  ];
  const dispute = { status: 'WON', opened_at: opened, evidence, resolved_at: '2026-01-03T00:00:00.000Z' } as Dispute;
  const block = {
    id: 'led_1',
    type: 'MED_BLOCK',
    amount: -500,
    currency: 'BRL',
    created_at: Date.parse(opened) / 1_000,
  };
  const entries = [block as LedgerEntry];
  expect(timelineOf(dispute, entries, merchantsEn).map(({ what }) => what)).toEqual([
    'Opened',
    merchantsEn.entries.MED_BLOCK,
    'Evidence: Taken by the provider',
    'Won',
  ]);
  expect(timelineOf({ ...dispute, resolved_at: null }, entries, merchantsEn)).toHaveLength(3);
});
