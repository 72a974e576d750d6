import { z } from 'zod';
import type { Caller } from '@gateway/contracts/accounts';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { requestText } from '@gateway/contracts/values';
import { replaceConnectorEndpoints, type WebhookEvent } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import type { Facade } from '#src/facade.ts';
import type { Arrival } from '#src/integrations/admit.ts';

const urlsMax = 20;

/** What a permission lets through; the format itself is silent about all other events (spec 6). */
const permittedEvents = {
  PIX_IN: ['deposit.paid', 'deposit.expired', 'deposit.canceled'],
  PIX_OUT: ['payout.paid', 'payout.failed', 'payout.canceled'],
} as const satisfies Record<string, readonly WebhookEvent[]>;

const permissionRule = 'must name PIX_IN, PIX_OUT or both';

/** Body of update/notification-url (spec 4.1); members it does not know are ignored. */
export const notificationUrlsSchema = z.object(
  {
    notificationUrl: z
      .array(
        z.object(
          {
            url: requestText(1, 2_048),
            permission: z
              .array(z.enum(['PIX_IN', 'PIX_OUT'], 'must be PIX_IN or PIX_OUT'), permissionRule)
              .min(1, permissionRule),
          },
          'must be an object with url and permission',
        ),
        'is required and must be a list',
      )
      .max(urlsMax, `must have at most ${urlsMax} entries`),
    /** Repeated in each confirmation; an empty one is a value like others. */
    securityParaphrase: requestText(0, 255)
      .nullish()
      .transform((text) => text ?? ''),
  },
  'the body must be a JSON object',
);
export type NotificationUrls = z.infer<typeof notificationUrlsSchema>;

/**
 * Makes these URLs all the ones at which this connector of the account receives its format, and answers them as
 * registered. The account's other connector keeps its own.
 *
 * @throws ValidationError naming each URL that may not be called; nothing is changed then
 */
export async function registerNotificationUrls(
  { bus, rpcTimeoutMs }: Facade,
  { environment, account, apiVersion, publicKey }: Caller,
  { prefix }: Pick<Arrival, 'prefix'>,
  { notificationUrl, securityParaphrase }: NotificationUrls,
): Promise<NotificationUrls> {
  const endpoints = notificationUrl.map(({ url, permission }) => ({
    url,
    events: [...new Set(permission)].flatMap((each) => [...permittedEvents[each]]),
  }));
  const owner = { environment, accountId: account.id, apiVersion, clientId: publicKey };
  const registration = { ...owner, prefix, securityParaphrase, endpoints };
  await callRpc(bus, replaceConnectorEndpoints, registration, { timeoutMs: rpcTimeoutMs }).catch(inCallersTerms);
  return { notificationUrl, securityParaphrase };
}

/** What the webhooks service names `endpoints` is `notificationUrl` to the client. */
function inCallersTerms(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
  throw new ValidationError(
    error.details.map(({ path, message }) => ({ path: path.replace(/^endpoints\b/, 'notificationUrl'), message })),
  );
}
