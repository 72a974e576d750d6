// A receiver of signed webhooks: WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET ?? '';
const port = Number(process.env.PORT ?? 4000);
const toleranceSec = 300;

/** The signature is over the bytes as they came: never over JSON that was parsed and written again. */
function isGenuine(headers, rawBody) {
  const timestamp = String(headers['x-gateway-timestamp']);
  const expected = `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex')}`;
  const given = String(headers['x-gateway-signature']);
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSec;
  return isFresh && given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

const server = createServer(async (request, response) => {
  const chunks = await request.toArray();
  const rawBody = Buffer.concat(chunks);
  const genuine = isGenuine(request.headers, rawBody);
  response.writeHead(genuine ? 200 : 401).end();
  const { event, data } = JSON.parse(rawBody.toString('utf8'));
  console.log(`${genuine ? 'genuine' : 'FORGED '} ${event} ${data.id} ${data.status}`);
});
server.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}/`));
