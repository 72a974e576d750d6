import fc from 'fast-check';

/** What happens to a question to the ledger: it is answered, its answer gets lost, or it never arrives. */
export type Loss = 'none' | 'answer' | 'question';

export interface Interleaving {
  /** What a provider reports of a dispute, in its own order. */
  readonly reports: readonly ('dispute.opened' | 'dispute.review' | 'dispute.won' | 'dispute.lost')[];
  /** In which order reports arrive, before all of them are delivered again, and when the sweeper runs between. */
  readonly acts: readonly { readonly kind: 'tell' | 'sweep'; readonly which: number }[];
  readonly losses: readonly Loss[];
}

const types = fc.constantFrom<Interleaving['reports'][number]>(
  'dispute.opened',
  'dispute.review',
  'dispute.won',
  'dispute.lost',
);
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('tell' as const), which: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const), which: fc.constant(0) }) },
);

export const interleavings: fc.Arbitrary<Interleaving> = fc.record({
  reports: fc.array(types, { minLength: 1, maxLength: 6 }),
  acts: fc.array(act, { maxLength: 14 }),
  losses: fc.array(fc.constantFrom<Loss>('none', 'answer', 'question'), { maxLength: 8 }),
});
