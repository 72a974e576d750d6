/**
 * - RESERVING: claimed, the ledger has not decided yet; invisible. Refused, the record is gone.
 * - SENDING: the money is reserved; the provider is asked until it has decided.
 * - REVERSING: the provider refused; the ledger has not given the money back yet.
 *
 * To merchants everything that is not decided is PROCESSING.
 */
export type RefundState = 'RESERVING' | 'SENDING' | 'DONE' | 'REVERSING' | 'FAILED';

interface Arrow {
  readonly from: RefundState;
  readonly to: RefundState;
}

/** Every transition of a refund, by what happens. */
export const refundLifeCycle = {
  reserved: { from: 'RESERVING', to: 'SENDING' },
  done: { from: 'SENDING', to: 'DONE' },
  refused: { from: 'SENDING', to: 'REVERSING' },
  reversed: { from: 'REVERSING', to: 'FAILED' },
} as const satisfies Record<string, Arrow>;

export type RefundHappening = keyof typeof refundLifeCycle;
