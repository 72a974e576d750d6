import type { HoldReason } from '@gateway/contracts/conversions';
import {
  exact,
  exactOfMinorUnits,
  exactProduct,
  exactText,
  grossOf,
  minorUnitsOf,
  type Market,
} from '@gateway/providers/venues';
import type { OrderBounds } from '#src/treasury/dependencies.ts';
import type { Position } from '#src/treasury/position.ts';

export type WantedOrder =
  | { readonly kind: 'order'; readonly amount: string; readonly priceMax: string }
  | { readonly kind: 'held'; readonly reason: HoldReason; readonly detail: string };

/** No exchange asks for more than a small part of this; a fee in another unit would multiply the order. */
export const takerFeeMax = exact('0.05');
const bpsScale = 10_000n;

/**
 * Enough that the position is covered after the fee, and at least what the market takes; decimal texts. What the exchange says
 * is believed within bounds that follow from the conversions themselves: no more is bought than they owe and a bounded surplus,
 * and no price is paid, the fee included, that is further above what merchants gave than a bounded loss.
 */
export function orderFor(
  { uncovered, owed, given }: Pick<Position, 'uncovered' | 'owed' | 'given'>,
  market: Market,
  { slippageBps, surplusMax, lossMaxBps }: OrderBounds,
): WantedOrder {
  const [ask, tick, fee] = [exact(market.ask), exact(market.tickSize), exact(market.takerFee)];
  const figures = `ask ${market.ask}, tick ${market.tickSize}, fee ${market.takerFee}`;
  if (tick <= 0n || fee < 0n || fee > takerFeeMax) return held('implausible', figures);
  const one = exactOfMinorUnits(100);
  const gave = (exactOfMinorUnits(given) * one) / exactOfMinorUnits(owed);
  const bearable = exactProduct((gave * (bpsScale + BigInt(lossMaxBps))) / bpsScale, one - fee);
  if (ask > bearable) {
    return held('too_dear', `${market.ask} is asked for one USDT, at most ${rounded(bearable)} may be paid`);
  }
  const highest = (ask * (bpsScale + BigInt(slippageBps))) / bpsScale;
  const priceMax = ((highest < bearable ? highest : bearable) / tick) * tick;
  if (priceMax <= 0n) return held('implausible', figures);
  const cent = exactOfMinorUnits(1);
  const wanted = BigInt(minorUnitsOf(grossOf(exactOfMinorUnits(uncovered), fee), 'up'));
  const least = BigInt(minorUnitsOf(exact(market.amountMin), 'up'));
  const leastByValue = (exact(market.valueMin) * one + priceMax * cent - 1n) / (priceMax * cent);
  const cents = [wanted, least, leastByValue].reduce((most, each) => (each > most ? each : most));
  if (cents > wanted + BigInt(surplusMax)) {
    return held('too_large', `the least order is ${rounded(cents * cent)} USDT, ${rounded(wanted * cent)} are needed`);
  }
  return { kind: 'order', amount: exactText(cents * cent), priceMax: exactText(priceMax) };
}

function held(reason: HoldReason, detail: string): WantedOrder {
  return { kind: 'held', reason, detail };
}

/** To a cent, for people. */
function rounded(value: bigint): string {
  return exactText(exactOfMinorUnits(minorUnitsOf(value, 'down')));
}
