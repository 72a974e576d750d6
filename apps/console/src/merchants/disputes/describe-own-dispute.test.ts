import { expect, test } from 'vitest';
import type { Dispute } from '#src/generated/merchants/types.gen.ts';
import { byDeadline } from '#src/merchants/disputes/describe-own-dispute.ts';

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
