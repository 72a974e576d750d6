import type { ConnectorReader } from '#src/intake/connector-encoder.ts';
import type { SecretBox } from '#src/signatures/secret-box.ts';

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
