import type { TreasuryOrder } from '@gateway/contracts/conversions';

/**
 * An order as it is worked on. `RECORDED`: nothing was sent. `SENDING`: it is being sent, or the process died while it was. `SENT`: the venue has answered
 * with its id. `UNKNOWN`: it may have arrived. `REFUSED`: it was not made, by what the venue or the connection says, which a
 * look-up has to confirm. `BOOKING`: it has ended, and is to be booked. `LATE`: it had ended, and more
 * was found. `DONE`: everything that was found is booked.
 */
export interface OrderRow extends Readonly<Omit<TreasuryOrder, 'createdAt' | 'endedAt'>> {
  readonly failures: number;
  readonly bookings: number;
  /** Minor units. */
  readonly bookedSpent: number;
  readonly bookedBought: number;
  readonly bookedFee: number;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly sameSince: Date | null;
  readonly nextAt: Date | null;
  readonly endedAt: Date | null;
}

export const orderColumns = `id, venue, currency, state, result, amount::text, price_max::text as "priceMax",
  spent::text, bought::text, fee::text, venue_order_id as "venueOrderId", problem, failures, bookings,
  booked_spent as "bookedSpent", booked_bought as "bookedBought", booked_fee as "bookedFee", created_at as "createdAt",
  sent_at as "sentAt", same_since as "sameSince", next_at as "nextAt", ended_at as "endedAt"`;
