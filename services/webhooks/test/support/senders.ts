import { Sender, type SenderOptions, type WebhookRequest } from '#src/http/sender.ts';
import { AddressPolicy } from '#src/http/address-policy.ts';
import { GuardedResolver } from '#src/http/guarded-resolver.ts';

export interface SenderRules {
  readonly allowInsecure?: boolean;
  readonly deliveryTimeoutMs?: number;
  readonly keepAliveMaxMs?: number;
  readonly dnsServers?: readonly string[];
  readonly tls?: SenderOptions['tls'];
}

/** A sender as the service makes it, with a short deadline by default. */
export function createSender(given: SenderRules = {}) {
  const { allowInsecure = true, deliveryTimeoutMs = 400, dnsServers, ...options } = given;
  const policy = new AddressPolicy({ allowInsecure, forbiddenRanges: [] });
  const resolver = new GuardedResolver({ policy, allowInsecure, ...(dnsServers ? { servers: dnsServers } : {}) });
  const rules = { allowInsecure, forbiddenHosts: [], addresses: policy };
  return new Sender({ policy, resolver, rules, deliveryTimeoutMs, ...options });
}

export function webhookRequest(url: string, given: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    url,
    secret: 'whsec_c2VjcmV0',
    eventId: 'evt_1',
    deliveryId: 'dlv_1',
    attempt: 1,
    body: Buffer.from('{"event":"deposit.paid"}'),
    ...given,
  };
}
