import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '@gateway/runtime';
import type { Database } from '#src/database.ts';
import { DueWork } from '#src/due-work.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A table of each kind, as far as `firstDue` shows it. */
function tables() {
  const firstDue: (Date | null)[] = [];
  const woken: [kind: number, atMs: number][] = [];
  const statements: string[] = [];
  const startedAtMs = Date.now();
  const query = async (statement: string) => {
    statements.push(statement);
    return [Object.fromEntries(firstDue.entries())];
  };
  const listeners = new Set<() => void>();
  const onWrite = (listener: () => void) => {
    listeners.add(listener);
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  };
  const wrote = () => listeners.forEach((listen) => listen());
  const work = new DueWork({
    database: { query, onWrite } as unknown as Database,
    logger: createLogger('test', 'silent'),
  });
  const add = () => {
    const kind = firstDue.push(null) - 1;
    const wake = () => {
      woken.push([kind, Date.now() - startedAtMs]);
      firstDue[kind] = null;
    };
    work.add({ name: `kind ${kind}`, firstDue: `(select ${kind})`, wake });
    return kind;
  };
  const inMs = (ms: number) => new Date(Date.now() + ms);
  return {
    work,
    add,
    firstDue,
    woken,
    wrote,
    statements,
    inMs,
    [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
  };
}

test('however many kinds of work a service has, one statement every five seconds looks for all of it at rest', async () => {
  await using stage = tables();
  const { add, statements } = stage;
  for (let kinds = 0; kinds < 12; kinds += 1) add();
  await vi.advanceTimersByTimeAsync(100);
  statements.length = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(statements.length).toBeLessThanOrEqual(2);
  expect(new Set(statements).size).toBe(1);
});

test('what another process has left is begun within five seconds, and what is due before that at its moment', async () => {
  await using stage = tables();
  const { add, firstDue, woken, inMs } = stage;
  const [left, planned] = [add(), add()];
  await vi.advanceTimersByTimeAsync(500);
  firstDue[left] = inMs(-5_000);
  firstDue[planned] = inMs(5_300);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(woken.map(([kind]) => kind)).toEqual([left, planned]);
  const [[, leftAtMs] = [0, 0], [, plannedAtMs] = [0, 0]] = woken;
  expect(leftAtMs).toBeLessThanOrEqual(5_200);
  expect(plannedAtMs).toBeGreaterThanOrEqual(5_800);
  expect(plannedAtMs).toBeLessThan(5_850);
});

test('what this process has written and not announced is begun within a second, after a rest as amid work', async () => {
  await using stage = tables();
  const { add, firstDue, woken, wrote, statements, inMs } = stage;
  const kind = add();
  await vi.advanceTimersByTimeAsync(6_500);
  for (const round of [1, 2, 3]) {
    wrote();
    firstDue[kind] = inMs(0);
    const writtenAtMs = Date.now();
    await vi.advanceTimersByTimeAsync(1_001);
    expect(woken, `round ${round}`).toHaveLength(round);
    expect(Date.now() - writtenAtMs).toBeLessThanOrEqual(1_001);
  }
  statements.length = 0;
  for (let writes = 0; writes < 1_000; writes += 1) {
    wrote();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(statements.length).toBeLessThanOrEqual(11);
});

test('announced work is begun at its moment, and a burst of announcements is one look', async () => {
  await using stage = tables();
  const { work, add, firstDue, woken, statements, inMs } = stage;
  const kind = add();
  await vi.advanceTimersByTimeAsync(200);
  statements.length = 0;
  firstDue[kind] = inMs(300);
  for (let calls = 0; calls < 50; calls += 1) work.announce(inMs(300));
  await vi.advanceTimersByTimeAsync(350);
  expect(woken).toHaveLength(1);
  expect(woken[0]?.[1]).toBeLessThan(550);
  expect(statements.length).toBeLessThanOrEqual(2);
});

test('a table whose first moment is no date, as infinity is none here, is looked at no more often', async () => {
  await using stage = tables();
  const { add, firstDue, woken, statements } = stage;
  const kind = add();
  firstDue[kind] = new Date('infinity');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(statements.length).toBeLessThanOrEqual(13);
  expect(woken).toEqual([]);
});

test('work that cannot be done now is tried again at every look, and no more often', async () => {
  await using stage = tables();
  const { work, firstDue, statements, inMs } = stage;
  let tries = 0;
  firstDue.push(inMs(-1_000));
  work.add({ name: 'locked', firstDue: '(select 0)', wake: () => void (tries += 1) });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tries).toBeGreaterThanOrEqual(9);
  expect(statements.length).toBeLessThanOrEqual(13);
});
