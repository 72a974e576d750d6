const polynomial = 0x1021;
const utf8 = new TextEncoder();

/** What each value of the leading byte leaves behind. */
const remainders = Uint16Array.from({ length: 256 }, (_value, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ polynomial : crc << 1;
  return crc & 0xffff;
});

/**
 * CRC-16/CCITT-FALSE over the UTF-8 bytes of a text: polynomial 0x1021, initial value 0xFFFF, no reflection, no final xor.
 *
 * A BR Code ends with this sum, taken up to and including the literal `6304`
 * (EMVCo Merchant-Presented QR; Manual do BR Code, Banco Central do Brasil).
 *
 * @returns four upper-case hexadecimal digits; the check value of `123456789` is `29B1`
 */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of utf8.encode(text)) crc = ((crc << 8) & 0xffff) ^ (remainders[(crc >> 8) ^ byte] ?? 0);
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
