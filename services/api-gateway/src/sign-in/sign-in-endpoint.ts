import type { z } from 'zod';
import type { Client, Realm, Session } from '@gateway/contracts/identity';
import type { TimedBus } from '@gateway/messaging';
import type { Call, Endpoint, EndpointRow } from '#src/http/endpoint.ts';

/** A request of a console about who signs in. */
export interface SignInCall extends Call {
  readonly realm: Realm;
  readonly client: Client;
  /** Where operators see a trace, `{trace_id}` in place of its id; null where that is nowhere. */
  readonly traceUrl: string | null;
  /** Puts the token of a session into the cookie of the answer; null takes it out. */
  readonly keepToken: (token: string | null) => void;
  /** What ties the answer of an issuer to this browser; undefined without its cookie. */
  readonly issuerToken: string | undefined;
  /** Puts it into the cookie of the answer; null takes it out. */
  readonly keepIssuerToken: (token: string | null) => void;
  /** The parameters of the address, as they came. */
  readonly parameters: string;
  /** @throws DomainError AUTH_REQUIRED without a session */
  readonly session: () => Session;
}

export interface SignInServices {
  readonly bus: TimedBus;
}

export type SignInRow = EndpointRow<SignInServices>;

/** Ties a handler to its body and query. */
export function signInEndpoint<
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
>(endpoint: Endpoint<SignInCall, SignInServices, Body, Query>): SignInRow {
  return endpoint;
}
