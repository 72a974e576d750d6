export { GatewayError, isGatewayError } from '../errors/gateway-error.ts';
export { SignatureError, type SignatureFault } from '../errors/signature-error.ts';
export type { BodyStream } from './body.ts';
export type { Delivered, EventName, UnknownEvent, VerifiedEvent } from './events.ts';
export {
  nodeWebhookListener,
  webhookHandler,
  type Claim,
  type HandlerOptions,
  type IncomingRequest,
  type NodeRequest,
  type NodeResponse,
  type PlatformResponse,
  type SeenEvents,
} from './handler.ts';
export { verifyWebhook, type WebhookHeaders, type WebhookToVerify } from './verify.ts';
