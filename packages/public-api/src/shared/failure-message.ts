import { failureMessageOf } from '@gateway/contracts/payouts';
import type { MessageLanguage } from '@gateway/contracts/values';

interface Failed {
  readonly failureReason: string | null;
  readonly failureMessage: string | null;
}

/** What the merchant reads of a failure. For a reason that is not known here, its sender's message serves. */
export function presentFailureMessage(
  { failureReason, failureMessage }: Failed,
  language?: MessageLanguage,
): string | null {
  return (failureReason && failureMessageOf(failureReason, language)) || failureMessage;
}
