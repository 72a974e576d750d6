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

/** Eleven letters and digits that depend on every byte given. */
function suffixOf(random: Uint8Array): string {
  let rest = 0n;
  for (const byte of random) rest = (rest << 8n) | BigInt(byte);
  let suffix = '';
  for (let position = 0; position < 11; position += 1) {
    suffix += alphabet.charAt(Number(rest % 62n));
    rest /= 62n;
  }
  return suffix;
}

/** Letter, ISPB, `yyyyMMddHHmm` in UTC, eleven characters: the form of ids in the SPI (pacs.008 and pacs.004). */
export function newSpiId(letter: 'E' | 'D', { ispb, at, random }: SpiIdInput): string {
  if (!/^[0-9A-Z]{8}$/.test(ispb)) throw new RangeError('an ISPB is eight digits or upper-case letters');
  if (random.length < spiIdRandomBytesMin) throw new RangeError(`an id takes ${spiIdRandomBytesMin} random bytes`);
  const minute = at.toISOString().slice(0, 16).replace(/\D/g, '');
  return `${letter}${ispb}${minute}${suffixOf(random)}`;
}
