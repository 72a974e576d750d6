/** Currencies that move over a payment rail. */
export type RailCurrency = 'BRL' | 'MXN';

export type Rail = 'PIX' | 'SPEI';

/** An amount on a rail: a positive safe integer in minor units. */
export interface RailMoney {
  readonly currency: RailCurrency;
  readonly amount: number;
}

/** The one rail each currency moves on. */
export const railOf: Readonly<Record<RailCurrency, Rail>> = { BRL: 'PIX', MXN: 'SPEI' };
