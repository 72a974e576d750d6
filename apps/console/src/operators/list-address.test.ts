import { expect, test } from 'vitest';
import { listAddress } from '#src/operators/list-address.ts';

test('a list that the console has a page of keeps its filters, and no other is linked', () => {
  expect(listAddress('/ops/payouts?attention=true&environment=live')).toBe('/payouts?attention=true&environment=live');
  expect(listAddress('/ops/approvals?state=PROPOSED')).toBe('/approvals?state=PROPOSED');
  expect(listAddress('/ops/disputes?due_before=1795176000')).toBe('/disputes?due_before=1795176000');
  expect(listAddress('/ops/dead-letters?status=WAITING')).toBe('/dead-letters?status=WAITING');
  expect(listAddress('/ops/lines')).toBeUndefined();
  expect(listAddress('https://elsewhere.example/ops/feeds')).toBeUndefined();
});
