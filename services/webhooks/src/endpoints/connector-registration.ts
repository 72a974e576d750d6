import type { SecretBox } from '@gateway/service-kit';

/** What each body of a registration repeats, for the receiver to check and to tell its clients apart. */
export interface ConnectorReader {
  readonly clientId: string;
  readonly securityParaphrase: string;
}

/** What an endpoint of the connector was registered with; the paraphrase is sealed for that endpoint. */
export interface ConnectorRegistration {
  readonly clientId: string;
  readonly sealedParaphrase: string;
}

export function sealRegistration(
  { clientId, securityParaphrase }: ConnectorReader,
  endpointId: string,
  secretBox: SecretBox,
): ConnectorRegistration {
  return { clientId, sealedParaphrase: secretBox.seal(securityParaphrase, `paraphrase ${endpointId}`) };
}

/** Undefined for an endpoint of another format. */
export function openRegistration(
  registration: ConnectorRegistration | null | undefined,
  endpointId: string,
  secretBox: SecretBox,
): ConnectorReader | undefined {
  if (!registration) return undefined;
  const { clientId, sealedParaphrase } = registration;
  return { clientId, securityParaphrase: secretBox.open(sealedParaphrase, `paraphrase ${endpointId}`) };
}
