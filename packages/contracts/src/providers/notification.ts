import { z } from 'zod';
import { idSchema } from '@gateway/money';

const textsSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/**
 * A provider's call at our door as it came, after its adapter has verified it (api.md 6). Receivers verify and read it
 * again: what it says, and how far it may be believed, is the adapter's to tell.
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
   * How far the door found it to be believed. Its secrets are not kept: where the proof was one (`hint`), readers take the
   * door's word for it; signatures they verify themselves, so that what is written here raises nothing.
   */
  verified: z.enum(['hint', 'platform', 'ours']).optional(),
});
export type StoredNotification = z.infer<typeof providerNotificationSchema>;

export function providerNotificationSubject(provider: string): string {
  return `provider.${provider}.notification.v1`;
}
