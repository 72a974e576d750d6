import type { ErrorCode } from '@gateway/contracts/errors';

/** The class of a code in the SDKs: `INSUFFICIENT_FUNDS` is `InsufficientFundsError`. */
export function classOf(code: ErrorCode): string {
  const words = code
    .replace(/_ERROR$/, '')
    .toLowerCase()
    .split('_');
  return `${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}Error`;
}
