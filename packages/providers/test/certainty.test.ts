import { expect, test } from 'vitest';
import { byPeople, type Asked, type Graded } from '#src/index.ts';
import { asked, graded } from '#src/testing/index.ts';

interface Payment {
  readonly amount: number;
}

const credit = (payment: Asked<Payment>): number => payment.amount;
const block = (payment: Graded<'ours', Payment>): number => payment.amount;
const lookUp = (payment: Graded<'hint', Payment>): number => payment.amount;

test('what was asked for, or decided by two people, may do everything a lower grade may', () => {
  const people = { proposedBy: 'ana', approvedBy: 'bruno' };
  for (const fact of [asked({ amount: 1 }), byPeople({ amount: 1 }, people)]) {
    expect([credit(fact), block(fact), lookUp(fact)]).toEqual([1, 1, 1]);
  }
});

test('a fact of a lower grade than is needed does not compile', () => {
  const plain: Payment = { amount: 1 };
  // @ts-expect-error what has no grade may not even be looked up
  lookUp(plain);
  for (const grade of ['hint', 'platform'] as const) {
    // @ts-expect-error what others may have sent never holds money back
    block(graded(grade, plain));
    // @ts-expect-error nor moves it
    credit(graded(grade, plain));
  }
  // @ts-expect-error a notification of ours is not an answer to a question
  credit(graded('ours', plain));
  expect(block(graded('ours', plain))).toBe(1);
});

test('one person is not two', () => {
  expect(() => byPeople({ amount: 1 }, { proposedBy: 'ana', approvedBy: 'ana' })).toThrow(RangeError);
});
