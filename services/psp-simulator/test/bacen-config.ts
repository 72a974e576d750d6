import type { ProviderConfig } from '@gateway/providers';

/** The same account in the standard's words alone. */
export function bacenConfigOf(configs: readonly ProviderConfig[]): ProviderConfig {
  const efi = configs.find((config) => config.kind === 'efi');
  if (efi?.kind !== 'efi') throw new Error('the simulator has no Efí');
  const { payingKey: _payingKey, ...shared } = efi;
  return { ...shared, kind: 'bacen', id: 'bacen', baseUrl: new URL('/v2', efi.baseUrl) };
}
