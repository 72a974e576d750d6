import { z } from 'zod';
import { idSchema } from '@gateway/money';

const textsSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/**
 * A provider's notification as it arrived, after its adapter has verified it (api.md 6). Receivers verify and read it
 * again, since its meaning and its certainty are known to the adapter alone.
 */
export const providerNotificationSchema = z.object({
  id: idSchema('event'),
  provider: z.string(),
  /** Unix seconds. */
  receivedAt: z.int(),
  /** Base64 of the bytes. */
  rawBody: z.string(),
  /** Names in lower case. */
  headers: textsSchema,
  query: textsSchema,
  /** What follows `/providers/{provider}/notifications`. */
  pathSuffix: z.string(),
  remoteIp: z.string(),
  /**
   * The certainty that the gateway found. A secret in the address is not stored, so for a `hint` readers rely on this
   * value; signatures they verify themselves, so this value cannot raise the certainty of anything.
   */
  verified: z.enum(['hint', 'platform', 'ours']).optional(),
});
export type StoredNotification = z.infer<typeof providerNotificationSchema>;

export function providerNotificationSubject(provider: string): string {
  return `provider.${provider}.notification.v1`;
}
