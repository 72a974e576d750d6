/**
 * - RESERVING: claimed, the ledger has not decided yet; in no list. Refused, the record is gone.
 * - RELEASING: given up, since its caller was answered 503 or not at all. What may have been reserved is given back; in no
 *   list, and never sent.
 * - SENDING: the money is reserved; the provider is asked until it has decided.
 * - REVERSING: the provider refused, or it was done and has come back; the ledger has not given the money back yet.
 * - REDEBITING: the provider sent it after all, although the money was given back; the balance has not paid for it again
 *   yet.
 *
 * To merchants everything that is not decided is PROCESSING, and one that is REDEBITING is FAILED until it is DONE.
 */
export type RefundState = 'RESERVING' | 'RELEASING' | 'SENDING' | 'DONE' | 'REVERSING' | 'FAILED' | 'REDEBITING';

interface Transition {
  readonly from: RefundState;
  readonly to: RefundState;
}

/** Every transition of a refund, by what happens. */
export const refundLifeCycle = {
  reserved: { from: 'RESERVING', to: 'SENDING' },
  abandoned: { from: 'RESERVING', to: 'RELEASING' },
  /** Its caller was answered that nothing was created: the record stays, without its external_id. */
  givenBack: { from: 'RELEASING', to: 'FAILED' },
  /** Its provider has it: it was sent in what a restored database has forgotten. */
  foundSent: { from: 'RELEASING', to: 'SENDING' },
  done: { from: 'SENDING', to: 'DONE' },
  refused: { from: 'SENDING', to: 'REVERSING' },
  reversed: { from: 'REVERSING', to: 'FAILED' },
  /** It was found to be done while the money was on its way back to the balance. */
  reversedAlthoughDone: { from: 'REVERSING', to: 'REDEBITING' },
  doneAfterFailure: { from: 'FAILED', to: 'REDEBITING' },
  /** It had reached its payer's bank, which sent it back. */
  cameBack: { from: 'DONE', to: 'REVERSING' },
  redebited: { from: 'REDEBITING', to: 'DONE' },
} as const satisfies Record<string, Transition>;

export type RefundTransition = keyof typeof refundLifeCycle;
