import { expect, test } from 'vitest';
import { CallBudget } from '#src/call-budget.ts';

test('a provider is asked as often as its budget says, and what is urgent has calls left when the rest has none', () => {
  let nowMs = 0;
  const budget = new CallBudget(60, () => nowMs);
  const taken = (shareLeft: number) => {
    let calls = 0;
    while (budget.take('bank', shareLeft)) calls += 1;
    return calls;
  };
  expect([taken(0.5), taken(0.25), taken(0)]).toEqual([30, 15, 15]);
  expect(budget.take('other', 0)).toBe(true);
  nowMs += 1_000;
  expect([taken(0.5), taken(0)]).toEqual([0, 1]);
  nowMs += 3_600_000;
  expect(taken(0)).toBe(60);
});

test('calls that a page took besides its own are made up for by waiting, and by no more than five minutes of it', () => {
  let nowMs = 0;
  const budget = new CallBudget(60, () => nowMs);
  expect(budget.take('bank', 0)).toBe(true);
  budget.spend('bank', 70);
  nowMs += 11_000;
  expect(budget.take('bank', 0)).toBe(false);
  nowMs += 1_000;
  expect(budget.take('bank', 0)).toBe(true);
  budget.spend('bank', 10_000);
  nowMs += 301_000;
  expect(budget.take('bank', 0)).toBe(true);
});

test('calls that list many items cost nothing, fifty times the budget in a minute at most, and those that list few cost a call', () => {
  let nowMs = 0;
  const budget = new CallBudget(60, () => nowMs);
  const taken = (items: number) => {
    let calls = 0;
    while (calls < 10_000 && budget.take('bank', 0)) {
      budget.giveBack('bank', { calls: 1, items });
      calls += 1;
    }
    return calls;
  };
  expect(taken(100)).toBe(51 * 60);
  nowMs += 60_000;
  expect(taken(24)).toBe(60);
  nowMs += 60_000;
  expect(budget.take('bank', 0)).toBe(true);
  budget.spend('bank', 89);
  budget.giveBack('bank', { calls: 90, items: 75 * 90 });
  expect(budget.left('bank', 0)).toBe(60);
});
