import { beforeEach, describe, expect, test } from 'vitest';
import { CircuitBreaker } from '#src/http/circuit-breaker.ts';

describe('circuit breaker', () => {
  let nowMs = 0;
  let breaker: CircuitBreaker;
  beforeEach(() => {
    nowMs = 1_000;
    breaker = new CircuitBreaker({ failuresToOpen: 3, openMs: 10_000, nowMs: () => nowMs });
  });
  const fail = (times: number): void => {
    for (let time = 0; time < times; time += 1) breaker.enter()?.failed();
  };

  test('a row of failures opens it, and nothing is let through', () => {
    fail(2);
    expect(breaker.state).toBe('closed');
    fail(1);
    expect(breaker.state).toBe('open');
    expect(breaker.enter()).toBeNull();
    expect(breaker.retryAfterMs).toBe(10_000);
  });

  test('a success in between starts the row anew', () => {
    fail(2);
    breaker.enter()?.succeeded();
    fail(2);
    expect(breaker.state).toBe('closed');
  });

  test('after its time one call tries, and only one', () => {
    fail(3);
    nowMs += 10_000;
    expect(breaker.state).toBe('half_open');
    const probe = breaker.enter();
    expect(probe).not.toBeNull();
    expect(breaker.enter()).toBeNull();
    probe?.succeeded();
    expect(breaker.state).toBe('closed');
    expect(breaker.enter()).not.toBeNull();
  });

  test('a failed try keeps it open for its whole time again', () => {
    fail(3);
    nowMs += 10_000;
    breaker.enter()?.failed();
    nowMs += 9_999;
    expect(breaker.enter()).toBeNull();
    nowMs += 1;
    expect(breaker.enter()).not.toBeNull();
  });

  test('a try its caller ended says nothing: the next one may try', () => {
    fail(3);
    nowMs += 10_000;
    breaker.enter()?.abandoned();
    expect(breaker.state).toBe('half_open');
    expect(breaker.enter()).not.toBeNull();
  });
});
