import type { SecretBox } from '@gateway/runtime';

/** Members that every body in the connector's format repeats: the receiver checks the one and routes by the other. */
export interface ConnectorReader {
  readonly clientId: string;
  readonly securityParaphrase: string;
}

/** The same as stored; the paraphrase is sealed for its endpoint. */
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
