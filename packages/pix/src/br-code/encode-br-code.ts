import { currencies, decimalText } from '@gateway/money';
import {
  accountValueMaxCharacters,
  amountUnitDigitsMax,
  brCodeAmountMaxCents,
  locationPattern,
  merchantCityMaxCharacters,
  merchantNameMaxCharacters,
  noTxid,
  pixGui,
  staticTxidPattern,
} from '#src/br-code/br-code.ts';
import { crc16 } from '#src/br-code/crc16.ts';
import { toPrintableField } from '#src/br-code/printable-ascii.ts';
import { tlvValueMaxCharacters, writeTlv } from '#src/br-code/tlv.ts';

interface MerchantFacts {
  /** Folded to ASCII and cut to 25 characters. */
  readonly merchantName: string;
  /** Folded to ASCII and cut to 15 characters. */
  readonly merchantCity: string;
  /** CEP, eight digits. */
  readonly postalCode?: string;
  /** Minor units of BRL, 1 or more; left out, the payer types the amount or the location states it. */
  readonly amountCents?: number;
}

export interface DynamicBrCodeInput extends MerchantFacts {
  /** Host and path of the charge's document, at most 77 characters, without scheme. */
  readonly location: string;
  /** Default `once`: the code of a charge is paid one time. */
  readonly use?: 'once' | 'reusable';
}

export interface StaticBrCodeInput extends MerchantFacts {
  /** PIX key in the form DICT keeps it, at most 77 characters. */
  readonly key: string;
  /** 1–25 letters and digits; left out, the code carries `***`. */
  readonly txid?: string;
  /** Shown to the payer; cut to what is left of the account template. */
  readonly description?: string;
  /** ISPB of the withdrawal facilitator (Pix Saque), eight characters. */
  readonly withdrawalIspb?: string;
}

/**
 * The copy-and-paste code of a charge whose document is served at a location (Manual do BR Code; Pix API 2.9.0 `pixCopiaECola`).
 *
 * @throws RangeError when a value cannot be written: a name without ASCII letters, a location with a scheme, an amount out of range
 */
export function encodeDynamicBrCode(input: DynamicBrCodeInput): string {
  if (input.location.length > accountValueMaxCharacters || !locationPattern.test(input.location)) {
    throw new RangeError('a location is host and path, at most 77 characters, without scheme');
  }
  const account = writeTlv('00', pixGui) + writeTlv('25', input.location);
  return encode(input.use ?? 'once', account, input, noTxid);
}

/**
 * A code that carries the receiver's key itself and needs no provider (Manual do BR Code).
 *
 * @throws RangeError when a value cannot be written
 */
export function encodeStaticBrCode(input: StaticBrCodeInput): string {
  if (input.txid !== undefined && !staticTxidPattern.test(input.txid)) {
    throw new RangeError('the txid of a static code is 1 to 25 letters and digits');
  }
  return encode(undefined, staticAccount(input), input, input.txid ?? noTxid);
}

function staticAccount(input: StaticBrCodeInput): string {
  if (!/^[\x21-\x7e]{1,77}$/.test(input.key)) throw new RangeError('a key is 1 to 77 printable characters');
  if (input.withdrawalIspb !== undefined && !/^[0-9A-Z]{8}$/.test(input.withdrawalIspb)) {
    throw new RangeError('an ISPB is eight digits or upper-case letters');
  }
  const head = writeTlv('00', pixGui) + writeTlv('01', input.key);
  const tail = input.withdrawalIspb === undefined ? '' : writeTlv('03', input.withdrawalIspb);
  const descriptionMaxCharacters = Math.max(0, tlvValueMaxCharacters - head.length - tail.length - 4);
  const description = toPrintableField(input.description ?? '', descriptionMaxCharacters);
  return head + (description === '' ? '' : writeTlv('02', description)) + tail;
}

function encode(use: 'once' | 'reusable' | undefined, account: string, merchant: MerchantFacts, txid: string): string {
  if (merchant.postalCode !== undefined && !/^\d{8}$/.test(merchant.postalCode)) {
    throw new RangeError('a postal code is eight digits');
  }
  const body = [
    writeTlv('00', '01'),
    use === undefined ? '' : writeTlv('01', use === 'once' ? '12' : '11'),
    writeTlv('26', account),
    writeTlv('52', '0000'),
    writeTlv('53', '986'),
    merchant.amountCents === undefined ? '' : writeTlv('54', amountText(merchant.amountCents)),
    writeTlv('58', 'BR'),
    writeTlv('59', toPrintableField(merchant.merchantName, merchantNameMaxCharacters)),
    writeTlv('60', toPrintableField(merchant.merchantCity, merchantCityMaxCharacters)),
    merchant.postalCode === undefined ? '' : writeTlv('61', merchant.postalCode),
    writeTlv('62', writeTlv('05', txid)),
    '6304',
  ].join('');
  return body + crc16(body);
}

function amountText(amountCents: number): string {
  if (amountCents < 1) throw new RangeError(`a BR Code carries 1 to ${brCodeAmountMaxCents} cents, not ${amountCents}`);
  return decimalText(amountCents, currencies.BRL, { unitDigitsMax: amountUnitDigitsMax });
}
