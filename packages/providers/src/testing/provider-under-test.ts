import type { RailCurrency } from '@gateway/money';
import type {
  Charge,
  ChargeInput,
  ChargeReceipt,
  FailureCode,
  PaymentProvider,
  PayoutDestination,
  PayoutInput,
  PayoutState,
  RefundInput,
  RefundState,
} from '#src/index.ts';
import { chargeInput, payoutInput, refundInput } from '#src/testing/payment-provider-inputs.ts';

/** A provider, and what the suite has to know to bring every outcome about. */
export interface ProviderUnderTest extends AsyncDisposable {
  readonly provider: PaymentProvider;
  /** What the suite moves; the provider's rails may be more. */
  readonly currency: RailCurrency;
  readonly destinations: {
    readonly paid: PayoutDestination;
    readonly refused: { readonly destination: PayoutDestination; readonly code: FailureCode };
    readonly failed: { readonly destination: PayoutDestination; readonly code: FailureCode };
    /** The order arrives and is carried out, the answer does not come. */
    readonly unanswered: PayoutDestination;
    /** Belongs to another person than the recipient; paid where the owner is not verified. */
    readonly foreign: PayoutDestination;
  };
  /** A payout comes back as a whole or not at all; otherwise in parts. */
  readonly returnsWhole?: boolean;
  readonly now: () => Date;
  /** Lets the provider's time go on. */
  readonly passTime: (ms: number) => Promise<void>;
  /** Pays a charge. */
  readonly pay: (charge: ChargeInput) => Promise<ChargeReceipt>;
  /** What others do at the provider, where there is one on the other side of a wire. */
  readonly others?: OthersAtProvider;
}

export interface OthersAtProvider {
  /** The receiver's bank sends back a part of a payout that was paid. */
  readonly returnPayout: (payout: PayoutInput, amount: number) => Promise<void>;
  /** A payer contests a payment; ends with the claim's own id there. */
  readonly contest: (e2eId: string) => Promise<string>;
  /** The claim is accepted: the money goes back to the payer. */
  readonly accept: (claim: string) => Promise<void>;
}

export function chargeOf(under: ProviderUnderTest, change: Partial<ChargeInput> = {}): ChargeInput {
  const money = { currency: under.currency, amount: 1990 };
  return chargeInput({ createdAt: under.now(), money, ...change });
}

export function payoutTo(under: ProviderUnderTest, destination: PayoutDestination, change: Partial<PayoutInput> = {}) {
  const money = { currency: under.currency, amount: 1250 };
  return payoutInput({ sentAt: under.now(), destination, money, ...change });
}

export async function accepted({ provider }: ProviderUnderTest, input: ChargeInput): Promise<Charge> {
  const outcome = await provider.createCharge(input);
  if (outcome.kind !== 'accepted') throw new Error(`the charge was not accepted: ${outcome.kind}`);
  return outcome.charge;
}

export function stateOf({ provider }: ProviderUnderTest, charge: ChargeInput) {
  return provider.getCharge({ ref: charge.ref, charge });
}

export function payoutState({ provider }: ProviderUnderTest, payout: PayoutInput): Promise<PayoutState> {
  return provider.getPayout({ ref: payout.ref, payout });
}

export async function settled(under: ProviderUnderTest, payout: PayoutInput): Promise<PayoutState> {
  return lookedUp(under, () => payoutState(under, payout), ['PAID', 'FAILED']);
}

export async function refunded(under: ProviderUnderTest, refund: RefundInput): Promise<RefundState> {
  return lookedUp(under, () => under.provider.getRefund({ ref: refund.ref, refund }), ['DONE', 'FAILED']);
}

/** Looks up every half second of the provider's time, for ten seconds, until the state is final. */
async function lookedUp<State extends { status: string }>(
  under: ProviderUnderTest,
  lookUp: () => Promise<State>,
  final: readonly string[],
): Promise<State> {
  let state = await lookUp();
  for (let lookups = 0; lookups < 20 && !final.includes(state.status); lookups += 1) {
    await under.passTime(500);
    state = await lookUp();
  }
  if (!final.includes(state.status)) throw new Error(`still ${state.status} after ten seconds`);
  return state;
}

export async function refundOfPaidCharge(under: ProviderUnderTest): Promise<RefundInput> {
  const charge = chargeOf(under);
  const { providerRef } = await accepted(under, charge);
  const { e2eId } = await under.pay(charge);
  return refundInput({
    money: charge.money,
    sentAt: under.now(),
    receipt: { e2eId, chargeRef: charge.ref, chargeProviderRef: providerRef },
  });
}
