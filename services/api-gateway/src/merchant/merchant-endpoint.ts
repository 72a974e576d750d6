import type { z } from 'zod';
import type { Caller } from '@gateway/contracts/accounts';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ApiVersion, MessageLanguage } from '@gateway/contracts/values';
import { isId, type IdKind } from '@gateway/money';
import type { VersionedBody } from '@gateway/public-api';
import type { TimedBus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import type { Call, Endpoint, EndpointRow } from '#src/http/endpoint.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import type { EventStreams } from '#src/event-streams/event-streams.ts';
import type { LogStarts } from '#src/event-streams/log-starts.ts';
import type { ExportLinks } from '#src/exports/download-export.ts';

/** A request of an authenticated merchant. */
export interface MerchantCall extends Call {
  readonly caller: Caller;
  /** The contract it is answered in. */
  readonly apiVersion: ApiVersion;
  /** Of texts that are for people. */
  readonly language: MessageLanguage;
  readonly accept: string | undefined;
  /** What a reader of an event stream has received last. */
  readonly lastEventId: string | undefined;
  /** Where the call comes from, by the proxies we trust. */
  readonly address: string;
}

/** What the merchant API answers with. */
export interface MerchantServices {
  readonly bus: TimedBus;
  readonly database: Database;
  readonly directory: CallerDirectory;
  readonly exportLinks: ExportLinks;
  readonly eventStreams: EventStreams;
  readonly logStarts: LogStarts;
  /** An export is due then: it is begun without waiting for the next look. */
  readonly announceExport: (dueAt: Date) => void;
}

export type MerchantEndpointRow = EndpointRow<MerchantServices>;

/** Ties a handler of the merchant API to its schemas. */
export function merchantEndpoint<
  Body extends z.ZodType | VersionedBody | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
>(endpoint: Endpoint<MerchantCall, MerchantServices, Body, Query>): MerchantEndpointRow {
  return endpoint;
}

/** Everything is looked up as this account's, in this environment: another's record does not exist (api.md 1). */
export function ownerOf({ caller }: MerchantCall) {
  return { environment: caller.environment, accountId: caller.account.id };
}

/** @throws NotFoundError when the path holds no id of that kind; then there is nothing to ask for */
export function idIn({ params }: MerchantCall, kind: IdKind): string {
  const { id = '' } = params;
  if (!isId(kind, id)) throw new NotFoundError(kind);
  return id;
}
