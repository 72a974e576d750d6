import type { z } from 'zod';
import type { Client, Realm, Session } from '@gateway/contracts/identity';
import type { TimedBus } from '@gateway/messaging';
import type { Call, Endpoint, EndpointRow } from '#src/http/endpoint.ts';

/** A request of a console about who signs in. */
export interface SignInCall extends Call {
  readonly realm: Realm;
  readonly client: Client;
  /** Puts the token of a session into the cookie of the answer; null takes it out. */
  readonly keepToken: (token: string | null) => void;
  /** @throws DomainError AUTH_REQUIRED without a session */
  readonly session: () => Session;
}

export interface SignInServices {
  readonly bus: TimedBus;
}

export type SignInRow = EndpointRow<SignInServices>;

/** Ties a handler to its body. */
export function signInEndpoint<Body extends z.ZodType | undefined = undefined>(
  endpoint: Endpoint<SignInCall, SignInServices, Body>,
): SignInRow {
  return endpoint;
}
