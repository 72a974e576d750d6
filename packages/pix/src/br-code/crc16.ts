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
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
