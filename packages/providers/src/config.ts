import { z } from 'zod';

const callTimeoutMsDefault = 10_000;

/** The name in the path of notifications, in routing tables and in metrics. */
export const providerIdSchema = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

const loopbackHosts = new Set(['127.0.0.1', '[::1]']);

/** A name without a dot means nothing outside the network of containers that gave it; `localhost` is one of them. */
function isOurOwn(hostname: string): boolean {
  return loopbackHosts.has(hostname) || /^[a-z0-9-]+$/.test(hostname);
}

/** HTTPS; plain HTTP only to a simulator on the same machine or in the same network of containers. */
export const baseUrlSchema = z
  .url({ protocol: /^https?$/ })
  .refine((text) => {
    const url = new URL(text);
    return url.protocol === 'https:' || isOurOwn(url.hostname);
  }, 'must be https, or http within the deployment')
  .transform((text) => new URL(text));

export const callTimeoutMsSchema = z.int().min(100).max(60_000).default(callTimeoutMsDefault);

/** PEM texts, or a PKCS #12 in base64. */
export const clientTlsSchema = z
  .object({
    certificate: z.string().optional(),
    privateKey: z.string().optional(),
    pkcs12: z.base64().optional(),
    passphrase: z.string().optional(),
    authority: z.string().optional(),
  })
  .strict();
