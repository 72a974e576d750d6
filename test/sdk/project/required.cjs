const { Gateway, ApiError, isGatewayError } = require('@gateway/sdk');
const { verifyWebhook } = require('@gateway/sdk/webhooks');
const { sampleEvent, signedDelivery, testSecret } = require('@gateway/sdk/testing');

async function main() {
  const { environment } = new Gateway({ baseUrl: 'https://gateway.example', publicKey: 'pk_test_1', secretKey: 's' });
  const signed = await signedDelivery({ secret: testSecret, event: sampleEvent('deposit.paid') });
  const { event } = await verifyWebhook({ ...signed, secret: testSecret });
  console.log(environment, event, ApiError.name, isGatewayError(1));
}
void main();
