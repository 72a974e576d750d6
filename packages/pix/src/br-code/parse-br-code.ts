import { currencies, parseDecimal } from '@gateway/money';
import {
  amountUnitDigitsMax,
  brCodeMaxCharacters,
  merchantCityMaxCharacters,
  merchantNameMaxCharacters,
  noTxid,
  txidMaxCharacters,
  type BrCode,
  type BrCodeDeviation,
  type BrCodeRefusal,
  type BrCodeResult,
} from '#src/br-code/br-code.ts';
import { crc16 } from '#src/br-code/crc16.ts';
import { readPixAccount } from '#src/br-code/read-pix-account.ts';
import { readTlv, type TlvField } from '#src/br-code/tlv.ts';

type Fields = ReadonlyMap<string, string>;

/** Fields with a fixed form, in the order they are checked; a missing optional one passes. */
const fixedForms: readonly { id: string; form: RegExp; optional?: true; reason: BrCodeRefusal }[] = [
  { id: '00', form: /^01$/, reason: 'PAYLOAD_FORMAT' },
  { id: '01', form: /^1[12]$/, optional: true, reason: 'POINT_OF_INITIATION' },
  { id: '52', form: /^\d{4}$/, reason: 'MERCHANT_CATEGORY' },
  { id: '53', form: /^986$/, reason: 'CURRENCY' },
  { id: '54', form: /^\d{1,10}(?:\.\d{0,2})?$/, optional: true, reason: 'AMOUNT' },
  { id: '58', form: /^BR$/, reason: 'COUNTRY' },
  { id: '59', form: /\S/, reason: 'MERCHANT_NAME' },
  { id: '60', form: /\S/, reason: 'MERCHANT_CITY' },
];

/**
 * Reads a BR Code: structure and checksum first, then every rule of the Manual do BR Code a payer's application relies on.
 *
 * A code that a payer could not use is refused with the first rule it breaks. Three over-long texts and a missing field 62
 * occur in working codes; readers let them pass, so they are reported as `deviations`.
 */
export function parseBrCode(text: string): BrCodeResult {
  if (text.length > brCodeMaxCharacters) return refuse('TOO_LONG');
  const list = readTlv(text);
  if (!list) return refuse('MALFORMED');
  const checksum = refuseChecksum(text, list);
  if (checksum) return refuse(checksum);
  if (list[0]?.id !== '00') return refuse('PAYLOAD_FORMAT');

  const fields: Fields = new Map(list.map(({ id, value }) => [id, value]));
  const account = readPixAccount(list);
  if (typeof account === 'string') return refuse(account);
  const misfit = fixedForms.find(({ id, form, optional }) => {
    const value = fields.get(id);
    return value === undefined ? !optional : !form.test(value);
  });
  if (misfit) return refuse(misfit.reason);
  const label = readReferenceLabel(fields);
  if (label === null) return refuse('MALFORMED');
  if (account.kind === 'static' && label !== undefined && !/^[A-Za-z0-9]+$/.test(label)) return refuse('TXID');

  const brCode: BrCode = { ...account, ...merchantFacts(fields, label), deviations: deviationsOf(fields, label) };
  return { ok: true, brCode };
}

function refuse(reason: BrCodeRefusal): BrCodeResult {
  return { ok: false, reason };
}

function refuseChecksum(text: string, list: readonly TlvField[]): BrCodeRefusal | null {
  const last = list.at(-1);
  if (last?.id !== '63' || !/^[0-9A-F]{4}$/.test(last.value)) return 'CRC_MISSING';
  return crc16(text.slice(0, -4)) === last.value ? null : 'CRC_MISMATCH';
}

/** What 62-05 says: undefined for nothing or `***`, null when the template cannot be read. */
function readReferenceLabel(fields: Fields): string | undefined | null {
  const additionalData = fields.get('62');
  if (additionalData === undefined) return undefined;
  const list = readTlv(additionalData);
  if (!list) return null;
  const label = list.find(({ id }) => id === '05')?.value;
  return label === noTxid ? undefined : label;
}

function merchantFacts(fields: Fields, label: string | undefined) {
  const use = fields.get('01');
  const amount = fields.get('54');
  return {
    merchantName: fields.get('59') ?? '',
    merchantCity: fields.get('60') ?? '',
    merchantCategoryCode: fields.get('52') ?? '',
    postalCode: fields.get('61'),
    amountCents: amount === undefined ? undefined : amountOf(amount),
    txid: label,
    use: use === undefined ? undefined : use === '12' ? ('once' as const) : ('reusable' as const),
  };
}

/** EMVCo allows `10`, `10.`, `10.5` and `10.50`. */
function amountOf(text: string): number | undefined {
  return parseDecimal(text.replace(/\.$/, ''), currencies.BRL, { unitDigitsMax: amountUnitDigitsMax });
}

function deviationsOf(fields: Fields, label: string | undefined): BrCodeDeviation[] {
  const deviations: BrCodeDeviation[] = [];
  if ((fields.get('59') ?? '').length > merchantNameMaxCharacters) deviations.push('MERCHANT_NAME_TOO_LONG');
  if ((fields.get('60') ?? '').length > merchantCityMaxCharacters) deviations.push('MERCHANT_CITY_TOO_LONG');
  if (label !== undefined && label.length > txidMaxCharacters) deviations.push('TXID_TOO_LONG');
  if (!fields.has('62')) deviations.push('ADDITIONAL_DATA_MISSING');
  return deviations;
}
