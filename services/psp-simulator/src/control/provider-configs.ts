export interface ProviderConfigFacts {
  readonly publicUrl: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly receivingKey: string;
  readonly payingKey: string;
  readonly notificationSecret: string;
  readonly appId: string;
  readonly accountId: string;
  readonly webhookSecret: string;
  readonly signingPublicKey: string;
  readonly speiApiKey: string;
  readonly speiNotificationSecret: string;
}

/** The simulator's providers in the form a gateway is configured with (`providersConfigSchema`). Nothing here is secret. */
export function providerConfigs(facts: ProviderConfigFacts): object[] {
  const { publicUrl, client, receivingKey, payingKey, notificationSecret } = facts;
  return [
    {
      kind: 'efi',
      id: 'efi',
      baseUrl: publicUrl,
      tokenUrl: `${publicUrl}/oauth/token`,
      clientId: client.id,
      clientSecret: client.secret,
      receivingKey,
      payingKey,
      notifications: { secret: notificationSecret },
    },
    {
      kind: 'woovi',
      id: 'woovi',
      baseUrl: publicUrl,
      appId: facts.appId,
      accountId: facts.accountId,
      ownerCheck: true,
      publicKeys: [facts.signingPublicKey],
      webhookSecrets: [facts.webhookSecret],
    },
    {
      kind: 'spei',
      id: 'spei',
      baseUrl: `${publicUrl}/spei/v1`,
      apiKey: facts.speiApiKey,
      notificationSecret: facts.speiNotificationSecret,
    },
  ];
}
