import { describe, expect, test } from 'vitest';
import { groupsOf } from '#src/bus/event-group.ts';

const event = (id: string, given: Partial<{ subject: string; payload: string; trace: string }> = {}) => ({
  ...{ id, subject: 'event.a', payload: `{"id":"${id}"}`, trace: '{}' },
  ...given,
});

const sizesOf = (events: Parameters<typeof groupsOf>[0]) => groupsOf(events).map(({ ids }) => ids.length);

describe('events that leave together', () => {
  test('share a message as a JSON array, which one on its own is not', () => {
    expect(groupsOf([event('1'), event('2'), event('3', { subject: 'event.b' })])).toEqual([
      { messageId: '1+1', subject: 'event.a', payload: '[{"id":"1"},{"id":"2"}]', trace: '{}', ids: ['1', '2'] },
      { messageId: '3', subject: 'event.b', payload: '{"id":"3"}', trace: '{}', ids: ['3'] },
    ]);
  });

  test('keep their order and their own traces', () => {
    const traced = { trace: '{"traceparent":"00-1"}' };
    expect(sizesOf([event('1'), event('2', traced), event('3', traced), event('4')])).toEqual([1, 2, 1]);
  });

  test('are no more than a reader can hold, and no larger than the broker takes', () => {
    expect(sizesOf(Array.from({ length: 60 }, (_, index) => event(String(index))))).toEqual([25, 25, 10]);
    const large = { payload: JSON.stringify('ü'.repeat(100_000)) };
    expect(sizesOf(['1', '2', '3'].map((id) => event(id, large)))).toEqual([2, 1]);
  });
});
