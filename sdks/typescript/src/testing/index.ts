export {
  magicKeys,
  sampleEvent,
  signedDelivery,
  signedHeaders,
  testSecret,
  type BodyToSign,
  type DeliveryToSign,
  type SampleEvent,
  type SignedDelivery,
} from './sign.ts';
