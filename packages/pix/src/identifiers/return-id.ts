import { rails } from '@gateway/money';
import { newSpiId, type SpiIdInput } from '#src/identifiers/spi-id.ts';

/**
 * A new id of a return (`rtrId`): as an end-to-end id, with `D` in front (Pix API `RtrId`).
 *
 * @throws RangeError when the ISPB is not eight characters or there are too few random bytes
 */
export function newReturnId(input: SpiIdInput): string {
  return newSpiId('D', input);
}

/** True for a return id as the arrangement writes it; what a provider sends may differ. */
export function isReturnId(text: string): boolean {
  return rails.PIX.returnIdPattern.test(text);
}

/** True for the id a receiver gives a refund (`devolucao.id`, Pix API: 1–35 letters and digits). */
export function isRefundId(text: string): boolean {
  return /^[A-Za-z0-9]{1,35}$/.test(text);
}
