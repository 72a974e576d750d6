import type { z } from 'zod';

/** Names of the services that own subjects, streams and databases. */
export const serviceNames = [
  'api-gateway',
  'ledger',
  'deposits',
  'payouts',
  'webhooks',
  'compat',
  'reconciler',
  'identity',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A fact its owner has committed: `event.<service>.<entity>.<past tense>.v1`, carried by the owner's stream. */
export interface EventContract<S extends z.ZodType = z.ZodType> {
  readonly kind: 'event';
  readonly subject: string;
  readonly owner: ServiceName;
  readonly payload: S;
}

/**
 * A request that its receiver carries out: `command.<service>.…`, in the receiver's stream. The receiver decides
 * each payload `id` once and answers every repetition with the same reply.
 */
export interface CommandContract<S extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  readonly kind: 'command';
  /** The subject for one payload: its queue, its kind, its version. A receiver decides nothing that came on another. */
  readonly subjectFor: (payload: z.infer<S>) => string;
  /** What the subjects of one queue begin with. All of a queue is read in the order in which it was stored. */
  readonly queueFor: (payload: z.infer<S>) => string;
  readonly owner: ServiceName;
  /** The one service that may send each kind. The broker's permissions are made of it. */
  readonly senders: Readonly<Record<string, ServiceName>>;
  readonly payload: S;
  readonly reply: A;
}

/** A question with an answer and a deadline: `rpc.<service>.<verb-noun>.v1`, core NATS request and reply. */
export interface RpcContract<Q extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  readonly kind: 'rpc';
  readonly subject: string;
  readonly owner: ServiceName;
  /** Services that may ask. The broker's permissions are made of it. */
  readonly callers: readonly ServiceName[];
  /** Request and reply hold secrets: on the bus they are sealed under the key that its two sides share. */
  readonly sealed: boolean;
  readonly request: Q;
  readonly reply: A;
}

export type PayloadOf<C extends { readonly payload: z.ZodType }> = z.infer<C['payload']>;
export type RequestOf<C extends { readonly request: z.ZodType }> = z.input<C['request']>;
export type ReplyOf<C extends { readonly reply: z.ZodType }> = z.infer<C['reply']>;

const eventSubject = /^event\.([a-z-]+)\.[a-z-]+\.[a-z-]+\.v\d+$/;
const rpcSubject = /^rpc\.([a-z-]+)\.[a-z]+(-[a-z]+)+\.v\d+$/;

/**
 * @throws Error when the subject does not fit the family or names another owner: a contract is checked where it is
 * written.
 */
export function defineEvent<S extends z.ZodType>(contract: Omit<EventContract<S>, 'kind'>): EventContract<S> {
  if (eventSubject.exec(contract.subject)?.[1] !== contract.owner) {
    throw new Error(`event subject ${contract.subject} does not fit owner ${contract.owner}`);
  }
  return { kind: 'event', ...contract };
}

export function defineCommand<S extends z.ZodType, A extends z.ZodType>(
  contract: Omit<CommandContract<S, A>, 'kind'>,
): CommandContract<S, A> {
  return { kind: 'command', ...contract };
}

/** Most questions are a merchant's or an operator's, and come through the gateway. */
const callersDefault: readonly ServiceName[] = ['api-gateway'];

type RpcDefinition<Q extends z.ZodType, A extends z.ZodType> = Omit<
  RpcContract<Q, A>,
  'kind' | 'callers' | 'sealed'
> & {
  /** Who may ask, where that is not the gateway alone. */
  readonly callers?: readonly ServiceName[];
  readonly sealed?: boolean;
};

/** @throws Error when the subject does not fit the family or names another owner. */
export function defineRpc<Q extends z.ZodType, A extends z.ZodType>(contract: RpcDefinition<Q, A>): RpcContract<Q, A> {
  if (rpcSubject.exec(contract.subject)?.[1] !== contract.owner) {
    throw new Error(`rpc subject ${contract.subject} does not fit owner ${contract.owner}`);
  }
  return { kind: 'rpc', callers: callersDefault, sealed: false, ...contract };
}
