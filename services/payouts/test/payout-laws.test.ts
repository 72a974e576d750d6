import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Treatment, treatments } from './rail.ts';
import { Harness } from './harness.ts';
import { type Act, Simulation } from './simulation.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(async () => harness[Symbol.asyncDispose]());

const acts: readonly Act[] = [
  ...(['create', 'repeat', 'sweep', 'race', 'day', 'settle', 'notify', 'return'] as const),
  ...(['approve', 'refuse', 'cancel', 'resolve-failed'] as const),
];

test('whatever happens in whatever order: what was debited has left or is in flight, and nothing is paid twice', async () => {
  const event = fc.tuple(
    fc.oneof({ arbitrary: fc.constantFrom(...acts), weight: 3 }, fc.constant<Act>('create'), fc.constant<Act>('sweep')),
    fc.constantFrom(...treatments),
    fc.option(fc.integer({ min: 0, max: 12 }), { nil: Infinity }),
  );
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.boolean(), fc.array(event, { minLength: 3, maxLength: 14 }), async (...given) => {
      const [automatic, mayHaveForgotten, course] = given;
      const simulation = new Simulation(harness, automatic, mayHaveForgotten);
      for (const [act, treatment, steps] of course) await simulation.act(act, treatment, steps);
      await simulation.comeToRest();
      await simulation.expectToAddUp();
    }),
    { numRuns: 80 },
  );
});

describe('a process that ends between any two steps', () => {
  const courses: [string, boolean, [Act, Treatment][]][] = [
    [
      'pays',
      true,
      [
        ['create', 'pay'],
        ['settle', 'pay'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'pays what was approved',
      false,
      [
        ['create', 'pay'],
        ['approve', 'pay'],
        ['sweep', 'pay'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'refuses',
      true,
      [
        ['create', 'refuse'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'fails',
      true,
      [
        ['create', 'fail'],
        ['settle', 'pay'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'gets no answer after the transfer',
      true,
      [
        ['create', 'lost-after'],
        ['settle', 'pay'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'gets no answer and there was no transfer',
      true,
      [
        ['create', 'lost-before'],
        ['sweep', 'pay'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'passes on what the first provider has no money for',
      true,
      [
        ['create', 'no-balance'],
        ['sweep', 'pay'],
        ['settle', 'pay'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'gets no answer from the provider that it was passed on to',
      true,
      [
        ['create', 'no-balance'],
        ['sweep', 'lost-after'],
        ['settle', 'pay'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'waits for money at every provider until an operator refuses it',
      true,
      [
        ['create', 'no-balance'],
        ['sweep', 'no-balance'],
        ['refuse', 'no-balance'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'waits for money at every provider for a day and is given back',
      true,
      [
        ['create', 'no-balance'],
        ['sweep', 'no-balance'],
        ['day', 'no-balance'],
        ['sweep', 'no-balance'],
        ['sweep', 'no-balance'],
      ],
    ],
    [
      'waits for the money of one provider while the other is out of reach',
      true,
      [
        ['create', 'no-balance'],
        ['sweep', 'not-sent'],
        ['sweep', 'no-balance'],
        ['race', 'not-sent'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'finds its provider out of reach when it sends again',
      true,
      [
        ['create', 'lost-before'],
        ['sweep', 'not-sent'],
        ['sweep', 'not-sent'],
        ['race', 'not-sent'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'cancels',
      false,
      [
        ['create', 'pay'],
        ['cancel', 'pay'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'takes the money again for what had been given up',
      true,
      [
        ['create', 'pay'],
        ['resolve-failed', 'pay'],
        ['settle', 'pay'],
        ['notify', 'pay'],
        ['sweep', 'pay'],
      ],
    ],
    [
      'credits what came back',
      true,
      [
        ['create', 'pay'],
        ['settle', 'pay'],
        ['notify', 'pay'],
        ['sweep', 'pay'],
        ['return', 'pay'],
        ['return', 'pay'],
      ],
    ],
  ];

  test.each(courses)(
    'and %s loses nothing and doubles nothing',
    async (_what, automatic, course) => {
      let ends = 0;
      for (const [index] of course.entries()) {
        for (let steps = 0; ; steps++) {
          const simulation = new Simulation(harness, automatic);
          const before = course.slice(0, index);
          for (const [act, treatment] of before) await simulation.act(act, treatment);
          const [act, treatment] = course[index]!;
          const { ended } = await simulation.act(act, treatment, steps);
          await simulation.comeToRest();
          await simulation.expectToAddUp();
          if (!ended) break;
          ends++;
        }
      }
      expect(ends).toBeGreaterThan(0);
    },
    60_000,
  );
});
