/** Globally unique identifier of the Pix arrangement; readers compare it without regard to case (Manual do BR Code). */
export const pixGui = 'br.gov.bcb.pix';

/** Longest BR Code (`pixCopiaECola` of the Pix API 2.9.0). */
export const brCodeMaxCharacters = 512;
/** Longest PIX key, and longest location, that fits the account template (Manual do BR Code; Pix API `location`). */
export const accountValueMaxCharacters = 77;
/** Digits of reais that field 54 takes. */
export const amountUnitDigitsMax = 10;
/** Largest amount a BR Code can carry: ten digits of reais and two of centavos. */
export const brCodeAmountMaxCents = 999_999_999_999;
export const merchantNameMaxCharacters = 25;
export const merchantCityMaxCharacters = 15;
export const txidMaxCharacters = 25;

/** A location is host and path, without scheme; the payer's application puts `https://` before it (Pix API `location`). */
export const locationPattern = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?\/[\x21-\x7e]+$/;
/** Reference label a static code may carry (`[A-Za-z0-9]{1,25}`, Manual do BR Code). */
export const staticTxidPattern = /^[A-Za-z0-9]{1,25}$/;
/** Written where a code has no txid of its own. */
export const noTxid = '***';

interface BrCodeFacts {
  readonly merchantName: string;
  readonly merchantCity: string;
  /** Four digits; `0000` unless the merchant has a category. */
  readonly merchantCategoryCode: string;
  readonly postalCode?: string;
  /** Minor units of BRL; absent where the payer types the amount or the location states it. */
  readonly amountCents?: number;
  /** Absent for `***`. On a dynamic code it is only a hint: the location's document has the true one. */
  readonly txid?: string;
  /** What field 01 says; absent on most static codes. */
  readonly use?: 'once' | 'reusable';
  /** Where the recurrence of Pix Automático is described, as host and path. */
  readonly recurrenceLocation?: string;
  /** Rules for writers that this code breaks and readers let pass. */
  readonly deviations: readonly BrCodeDeviation[];
}

export interface StaticBrCode extends BrCodeFacts {
  readonly kind: 'static';
  readonly key: string;
  readonly description?: string;
  /** ISPB of the withdrawal facilitator (Pix Saque). */
  readonly withdrawalIspb?: string;
}

export interface DynamicBrCode extends BrCodeFacts {
  readonly kind: 'dynamic';
  /** Host and path of the charge's signed document, without scheme. */
  readonly location: string;
}

/** Pix Automático alone: the code authorises a recurrence and pays nothing by itself. */
export interface RecurrenceBrCode extends BrCodeFacts {
  readonly kind: 'recurrence';
  readonly recurrenceLocation: string;
}

export type BrCode = StaticBrCode | DynamicBrCode | RecurrenceBrCode;

export type BrCodeDeviation =
  'MERCHANT_NAME_TOO_LONG' | 'MERCHANT_CITY_TOO_LONG' | 'TXID_TOO_LONG' | 'ADDITIONAL_DATA_MISSING';

export type BrCodeRefusal =
  | 'TOO_LONG'
  | 'MALFORMED'
  | 'CRC_MISSING'
  | 'CRC_MISMATCH'
  | 'PAYLOAD_FORMAT'
  | 'POINT_OF_INITIATION'
  | 'NOT_PIX'
  | 'ACCOUNT_INVALID'
  | 'MERCHANT_CATEGORY'
  | 'CURRENCY'
  | 'AMOUNT'
  | 'COUNTRY'
  | 'MERCHANT_NAME'
  | 'MERCHANT_CITY'
  | 'TXID';

export type BrCodeResult =
  { readonly ok: true; readonly brCode: BrCode } | { readonly ok: false; readonly reason: BrCodeRefusal };
