const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random bytes an id is made from; 16 leave no measurable bias over 62^11 suffixes. */
const spiIdRandomBytesMin = 16;

export interface SpiIdInput {
  /** The participant that issues the id: eight digits, or upper-case letters since the CNPJ has them (Pix API 2.9.0). */
  readonly ispb: string;
  /** When the payment is initiated; the id holds it to the minute, in UTC. */
  readonly at: Date;
  /** At least 16 bytes from a cryptographic source, or from a digest where the id has to be repeatable. */
  readonly random: Uint8Array;
}

/** How many suffixes there are, and how many digits of base 62 a safe integer holds at least. */
const suffixes = 62n ** 11n;
const sixDigits = 62n ** 6n;

/** Eleven letters and digits that depend on every byte given: the lowest digits of their number, from the last to the first. */
function suffixOf(random: Uint8Array): string {
  const number = BigInt(`0x${Buffer.from(random).toString('hex')}`) % suffixes;
  return digitsOf(Number(number % sixDigits), 6) + digitsOf(Number(number / sixDigits), 5);
}

function digitsOf(number: number, count: number): string {
  let digits = '';
  for (let rest = number; digits.length < count; rest = Math.floor(rest / 62)) digits += alphabet.charAt(rest % 62);
  return digits;
}

/** Letter, ISPB, `yyyyMMddHHmm` in UTC, eleven characters: the form of ids in the SPI (pacs.008 and pacs.004). */
export function newSpiId(letter: 'E' | 'D', { ispb, at, random }: SpiIdInput): string {
  if (!/^[0-9A-Z]{8}$/.test(ispb)) throw new RangeError('an ISPB is eight digits or upper-case letters');
  if (random.length < spiIdRandomBytesMin) throw new RangeError(`an id takes ${spiIdRandomBytesMin} random bytes`);
  const minute = at.toISOString().slice(0, 16).replace(/\D/g, '');
  return `${letter}${ispb}${minute}${suffixOf(random)}`;
}
