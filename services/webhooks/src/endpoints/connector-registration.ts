import type { IntegrationPrefix } from '@gateway/contracts/connector';
import type { SecretBox } from '@gateway/runtime';

/** Members that every body in the connector's format repeats: the receiver checks the one and routes by the other. */
export interface ConnectorReader {
  /** The connector that registered them. */
  readonly prefix: IntegrationPrefix;
  readonly clientId: string;
  readonly securityParaphrase: string;
}

/** The same as stored; the paraphrase is sealed for its endpoint. */
export interface ConnectorRegistration {
  /** Missing in what was stored while an account had one registration: that is the first connector's. */
  readonly prefix?: IntegrationPrefix;
  readonly clientId: string;
  readonly sealedParaphrase: string;
}

export function sealRegistration(
  { prefix, clientId, securityParaphrase }: ConnectorReader,
  endpointId: string,
  secretBox: SecretBox,
): ConnectorRegistration {
  return { prefix, clientId, sealedParaphrase: secretBox.seal(securityParaphrase, `paraphrase ${endpointId}`) };
}

/** Undefined for an endpoint of another format. */
export function openRegistration(
  registration: ConnectorRegistration | null | undefined,
  endpointId: string,
  secretBox: SecretBox,
): ConnectorReader | undefined {
  if (!registration) return undefined;
  const { clientId, sealedParaphrase } = registration;
  return {
    prefix: prefixOf(registration),
    clientId,
    securityParaphrase: secretBox.open(sealedParaphrase, `paraphrase ${endpointId}`),
  };
}

/** The connector that an endpoint was registered through. */
export function prefixOf({ prefix = 'cli' }: ConnectorRegistration): IntegrationPrefix {
  return prefix;
}
