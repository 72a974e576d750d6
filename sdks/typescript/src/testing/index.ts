export {
  magicKeys,
  sampleEvent,
  signedDelivery,
  testSecret,
  type DeliveryToSign,
  type SampleEvent,
  type SignedDelivery,
} from './sign.ts';
