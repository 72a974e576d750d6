import { rails } from '@gateway/money';
import { newSpiId, type SpiIdInput } from '#src/identifiers/spi-id.ts';

/** Room for an end-to-end id we did not make: providers send 26 and 33 characters too, and none is turned away. */
export const inboundEndToEndIdMaxCharacters = 64;

/**
 * A new end-to-end id, 32 characters: `E`, ISPB, `yyyyMMddHHmm` in UTC, eleven letters and digits (Pix API `EndToEndId`).
 *
 * @throws RangeError when the ISPB is not eight characters or there are too few random bytes
 */
export function newEndToEndId(input: SpiIdInput): string {
  return newSpiId('E', input);
}

/** True for an id as the arrangement writes it. Never a reason to refuse a provider's notification: theirs may differ. */
export function isEndToEndId(text: string): boolean {
  return rails.PIX.paymentIdPattern.test(text);
}
