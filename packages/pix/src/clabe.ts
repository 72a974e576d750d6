export type ClabeResult =
  | {
      readonly ok: true;
      readonly value: string;
      readonly bankCode: string;
      readonly cityCode: string;
      readonly account: string;
    }
  | { readonly ok: false; readonly reason: 'MALFORMED' | 'CHECK_DIGIT' };

/**
 * Reads a CLABE, the Mexican account number: 3 digits of bank, 3 of city, 11 of account and a control digit, with or
 * without spaces (Asociación de Bancos de México). Banks and cities are not looked up: the catalogues lag.
 */
export function parseClabe(text: string): ClabeResult {
  const value = text.replace(/ /g, '');
  if (!/^\d{18}$/.test(value)) return { ok: false, reason: 'MALFORMED' };
  if (clabeControlDigit(value.slice(0, 17)) !== value.charAt(17)) return { ok: false, reason: 'CHECK_DIGIT' };
  return {
    ok: true,
    value,
    bankCode: value.slice(0, 3),
    cityCode: value.slice(3, 6),
    account: value.slice(6, 17),
  };
}

/**
 * The CLABE of an account: the seventeen digits and their control digit.
 *
 * @throws RangeError unless bank, city and account have 3, 3 and 11 digits
 */
export function newClabe(account: { bankCode: string; cityCode: string; account: string }): string {
  const base = `${account.bankCode}${account.cityCode}${account.account}`;
  if (!/^\d{3}$/.test(account.bankCode) || !/^\d{3}$/.test(account.cityCode) || !/^\d{17}$/.test(base)) {
    throw new RangeError('a CLABE has 3 digits of bank, 3 of city and 11 of account');
  }
  return base + clabeControlDigit(base);
}

/**
 * Institutions that many payers see, by the first three digits of a CLABE: the last three of the number that Banxico
 * gives a participant of SPEI. Others are shown without a name.
 */
const bankNames: Readonly<Record<string, string>> = {
  '002': 'Banamex',
  '012': 'BBVA México',
  '014': 'Santander',
  '021': 'HSBC',
  '030': 'BanBajío',
  '036': 'Inbursa',
  '042': 'Mifel',
  '044': 'Scotiabank',
  '058': 'Banregio',
  '059': 'Invex',
  '062': 'Afirme',
  '072': 'Banorte',
  '127': 'Banco Azteca',
  '137': 'BanCoppel',
  '646': 'STP',
  '710': 'Nvio',
  '722': 'Mercado Pago',
};

/** The institution that holds an account, by the name payers know; null for one that is not listed here. */
export function bankOfClabe(clabe: string): string | null {
  return bankNames[clabe.slice(0, 3)] ?? null;
}

/** Weights 3, 7, 1; each product is taken modulo 10 before it is added. */
function clabeControlDigit(base: string): string {
  const weights = [3, 7, 1];
  let sum = 0;
  for (let position = 0; position < base.length; position += 1) {
    sum += (Number(base.charAt(position)) * (weights[position % 3] ?? 0)) % 10;
  }
  return String((10 - (sum % 10)) % 10);
}
