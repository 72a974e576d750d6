import { describe, expect, test } from 'vitest';
import { providersConfigSchema, providersFromConfig, wooviPublicKey } from '#src/index.ts';

const efi = {
  kind: 'efi',
  id: 'efi',
  baseUrl: 'https://pix.api.efipay.com.br',
  tokenUrl: 'https://pix.api.efipay.com.br/oauth/token',
  clientId: 'id',
  clientSecret: 'secret',
  receivingKey: 'key@example.com',
  payingKey: 'pay@example.com',
  notifications: { secret: 'a-secret-of-some-length' },
};
const woovi = { kind: 'woovi', id: 'woovi', baseUrl: 'https://api.woovi.com', appId: 'app' };

describe('configuration of providers', () => {
  test('makes the adapters, each under its id', async () => {
    const { payingKey: _payingKey, ...standard } = efi;
    const configs = providersConfigSchema.parse([efi, woovi, { ...standard, kind: 'bacen', id: 'sicredi' }]);
    await using providers = providersFromConfig(configs, { now: () => new Date() });
    expect([...providers].map(({ id, circuit }) => [id, circuit])).toEqual([
      ['efi', 'closed'],
      ['woovi', 'closed'],
      ['sicredi', 'closed'],
    ]);
    expect(providers.find('efi')?.capabilities.payout).toBe(true);
    expect(providers.find('sicredi')?.capabilities.payout).toBe(false);
    expect(providers.find('other')).toBeUndefined();
  });

  test("Woovi's notifications are verified with its published key unless others are given, and with no secret", () => {
    const defaults = { publicKeys: [wooviPublicKey], webhookSecrets: [], ownerCheck: false };
    expect(providersConfigSchema.parse([woovi])).toMatchObject([defaults]);
  });

  test('Woovi looks up owners and signs for us as far as it is configured', async () => {
    const enabled = { ...woovi, id: 'enabled', ownerCheck: true, webhookSecrets: ['secret-of-a-webhook'] };
    const configs = providersConfigSchema.parse([woovi, enabled]);
    await using providers = providersFromConfig(configs, { now: () => new Date() });
    expect(providers.find('woovi')?.capabilities).toMatchObject({ ownerCheck: false, notificationGrade: 'platform' });
    expect(providers.find('enabled')?.capabilities).toMatchObject({ ownerCheck: true, notificationGrade: 'ours' });
  });

  test.each([
    ['HTTP to somebody else', [{ ...woovi, baseUrl: 'http://api.woovi.com' }]],
    ['two of one name', [woovi, { ...efi, id: 'woovi' }]],
    ["the sandbox's name", [{ ...woovi, id: 'sandbox' }]],
    ['no proof of origin', [{ ...efi, notifications: {} }]],
    ['an address as only proof', [{ ...efi, notifications: { sourceAddresses: ['34.193.116.226'] } }]],
    ['a secret that is none', [{ ...efi, notifications: { secret: 'short' } }]],
    ['a key that is none', [{ ...woovi, publicKeys: ['key'] }]],
    ['an unknown kind', [{ ...woovi, kind: 'bank' }]],
    ['an unknown member', [{ ...woovi, apid: 'x' }]],
    ['a deadline of nothing', [{ ...woovi, callTimeoutMs: 0 }]],
  ])('%s is refused', (_name, configs) => {
    expect(providersConfigSchema.safeParse(configs).success).toBe(false);
  });

  test('plain HTTP is for the same machine', () => {
    expect(providersConfigSchema.safeParse([{ ...woovi, baseUrl: 'http://127.0.0.1:9090' }]).success).toBe(true);
  });
});
