export { Gateway, type Environment, type GatewayOptions } from './client.ts';
export type { Answer, Body, Item, Query, Resource, Version } from './contracts.ts';
export type { ApiPromise, Created, Meta, RateLimit, WithResponse } from './core/answer.ts';
export {
  ApiError,
  ConnectionError,
  GatewayError,
  isGatewayError,
  SignatureError,
  TimeoutError,
  UnknownOutcome,
  type ErrorDetail,
  type SignatureFault,
} from './errors/errors.ts';
export { ExternalIdReusedError, type ExistingRecord } from './core/reused.ts';
export type { Page, Pages } from './core/page.ts';
export type { FetchLike, ResponseLike, SignalLike } from './core/platform.ts';
export type { Options, ReceivedResponse, SentRequest } from './core/send.ts';
export type { WaitOptions } from './core/wait.ts';
export type { DepositWaitOptions } from './resources/deposits.ts';
export type { PayoutWaitOptions } from './resources/payouts.ts';
export type { StreamParams } from './resources/events.ts';
export { version } from './core/version.ts';
export * from './generated/errors.ts';
export type { CreateOptions } from './core/created.ts';
