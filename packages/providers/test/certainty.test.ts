import { expect, test } from 'vitest';
import { byPeople, type Asked, type Told } from '#src/index.ts';
import { asked, told } from '#src/testing/index.ts';

interface Payment {
  readonly amount: number;
}

const credit = (payment: Asked<Payment>): number => payment.amount;
const block = (payment: Told<'ours', Payment>): number => payment.amount;
const lookUp = (payment: Told<'hint', Payment>): number => payment.amount;

test('what was asked for, or decided by two people, may do everything a lower grade may', () => {
  const people = { proposedBy: 'ana', approvedBy: 'bruno' };
  for (const fact of [asked({ amount: 1 }), byPeople({ amount: 1 }, people)]) {
    expect([credit(fact), block(fact), lookUp(fact)]).toEqual([1, 1, 1]);
  }
});

test('a fact of a lower grade than is needed does not compile', () => {
  const plain: Payment = { amount: 1 };
  // @ts-expect-error what nobody graded may not even be looked up
  lookUp(plain);
  for (const grade of ['hint', 'platform'] as const) {
    // @ts-expect-error what others may have said never holds money back
    block(told(grade, plain));
    // @ts-expect-error nor moves it
    credit(told(grade, plain));
  }
  // @ts-expect-error a notification of ours is not an answer to a question
  credit(told('ours', plain));
  expect(block(told('ours', plain))).toBe(1);
});

test('one person is not two', () => {
  expect(() => byPeople({ amount: 1 }, { proposedBy: 'ana', approvedBy: 'ana' })).toThrow(RangeError);
});
