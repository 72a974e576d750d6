import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountMax, amountSchema, feeOf, feeScheduleSchema, mulDiv, type Rounding } from '#src/money/money.ts';

const amounts = fc.integer({ min: 0, max: amountMax });
const numerators = fc.integer({ min: 0, max: 1_000_000 });
const denominators = fc.integer({ min: 1, max: 1_000_000 });
const roundings = fc.constantFrom<Rounding>('floor', 'ceil', 'half-up');
const schedules = fc.record({
  fixedCents: fc.integer({ min: 0, max: 100_000 }),
  bps: fc.integer({ min: 0, max: 10_000 }),
});
// A ten-thousandth of the largest denominator leaves every product a safe result.
const scaled = fc.tuple(amounts, numerators, denominators).filter(([, n, d]) => n / d <= 10_000);

describe('mulDiv', () => {
  test('is the exact quotient, off by less than one unit in the direction of its rounding', () => {
    fc.assert(
      fc.property(scaled, roundings, ([amount, numerator, denominator], rounding) => {
        const product = BigInt(amount) * BigInt(numerator);
        const result = BigInt(mulDiv(amount, numerator, denominator, rounding));
        const excess = result * BigInt(denominator) - product;
        const unit = BigInt(denominator);
        if (rounding === 'floor') expect(excess <= 0n && excess > -unit).toBe(true);
        if (rounding === 'ceil') expect(excess >= 0n && excess < unit).toBe(true);
        if (rounding === 'half-up') expect(excess * 2n <= unit && excess * 2n > -unit).toBe(true);
      }),
    );
  });

  test('rounds down and up to the same where nothing is left over, and one apart where something is', () => {
    fc.assert(
      fc.property(scaled, ([amount, numerator, denominator]) => {
        const rest = (BigInt(amount) * BigInt(numerator)) % BigInt(denominator);
        const [down, up] = [
          mulDiv(amount, numerator, denominator, 'floor'),
          mulDiv(amount, numerator, denominator, 'ceil'),
        ];
        expect(up - down).toBe(rest === 0n ? 0 : 1);
      }),
    );
  });

  test('never gives less for more', () => {
    fc.assert(
      fc.property(scaled, amounts, roundings, ([amount, numerator, denominator], other, rounding) => {
        const [less, more] = amount < other ? [amount, other] : [other, amount];
        const of = (value: number) => mulDiv(value, numerator, denominator, rounding);
        expect(of(less)).toBeLessThanOrEqual(of(more));
      }),
    );
  });

  test('keeps digits a float loses', () => {
    expect(mulDiv(9_007_199_254_740_990, 9_999, 10_000, 'floor')).toBe(9_006_298_534_815_515);
    expect(Math.floor((9_007_199_254_740_990 * 9_999) / 10_000)).not.toBe(9_006_298_534_815_515);
  });

  test.each([
    [5, 1, 10, 'half-up', 1],
    [4, 1, 10, 'half-up', 0],
    [15, 1, 10, 'half-up', 2],
    [1, 1, 10, 'ceil', 1],
    [9, 1, 10, 'floor', 0],
  ] as const)('%i · %i / %i rounded %s is %i', (amount, numerator, denominator, rounding, result) => {
    expect(mulDiv(amount, numerator, denominator, rounding)).toBe(result);
  });

  test.each([
    ['a negative amount', -1, 1, 1],
    ['a negative numerator', 1, -1, 1],
    ['a zero denominator', 1, 1, 0],
    ['a negative denominator', 1, 1, -1],
    ['a fraction', 1.5, 1, 1],
    ['a result that is no safe integer', Number.MAX_SAFE_INTEGER, 2, 1],
  ])('refuses %s', (_name, amount, numerator, denominator) => {
    expect(() => mulDiv(amount, numerator, denominator, 'floor')).toThrow(RangeError);
  });
});

describe('a fee', () => {
  test('is the fixed part and the share of the amount, half up to a minor unit (api.md 5)', () => {
    expect(feeOf(1_990, { fixedCents: 30, bps: 99 })).toBe(50);
    expect(feeOf(50, { fixedCents: 0, bps: 100 })).toBe(1);
    expect(feeOf(49, { fixedCents: 0, bps: 100 })).toBe(0);
  });

  test('is nothing for an empty schedule, the amount for all of it, and a safe integer in between', () => {
    fc.assert(
      fc.property(amounts, schedules, (amount, schedule) => {
        expect(feeOf(amount, { fixedCents: 0, bps: 0 })).toBe(0);
        expect(feeOf(amount, { fixedCents: 0, bps: 10_000 })).toBe(amount);
        const fee = feeOf(amount, schedule);
        expect(Number.isSafeInteger(fee)).toBe(true);
        expect(fee).toBeGreaterThanOrEqual(schedule.fixedCents);
        expect(fee).toBeLessThanOrEqual(schedule.fixedCents + amount);
      }),
    );
  });

  test.each([
    [{ fixedCents: 0, bps: 0 }, true],
    [{ fixedCents: amountMax, bps: 10_000 }, true],
    [{ fixedCents: -1, bps: 0 }, false],
    [{ fixedCents: 0, bps: -1 }, false],
    [{ fixedCents: amountMax + 1, bps: 0 }, false],
    [{ fixedCents: 0, bps: 10_001 }, false],
    [{ fixedCents: 0.5, bps: 0 }, false],
    [{ fixedCents: 0, bps: 0.5 }, false],
    [{ bps: 0 }, false],
    [{ fixedCents: 0 }, false],
  ])('schedule of %j is taken: %s', (schedule, isTaken) => {
    expect(feeScheduleSchema.safeParse(schedule).success).toBe(isTaken);
  });

  test('never shrinks when the amount grows', () => {
    fc.assert(
      fc.property(amounts, amounts, schedules, (one, other, schedule) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(feeOf(less, schedule)).toBeLessThanOrEqual(feeOf(more, schedule));
      }),
    );
  });
});

describe('an amount somebody asks for', () => {
  test('is every whole number from 1 to a billion units', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: amountMax }), (amount) => {
        expect(amountSchema.parse(amount)).toBe(amount);
      }),
    );
  });

  test.each([0, -1, 1.5, amountMax + 1, Number.NaN, Number.POSITIVE_INFINITY, '1', null, 10n])(
    'is never %s',
    (amount) => {
      expect(amountSchema.safeParse(amount).success).toBe(false);
    },
  );

  test.each([
    [undefined, 'is required'],
    ['100', 'must be a positive integer: cents, a number and no text'],
    [1.5, 'must be a positive integer: cents, a number and no text'],
    [0, 'must be a positive integer: cents, a number and no text'],
    [amountMax + 1, 'must be at most 100000000000'],
  ])('is refused as %s with the words that merchants read', (amount, message) => {
    expect(amountSchema.safeParse(amount).error?.issues).toMatchObject([{ message }]);
  });
});
