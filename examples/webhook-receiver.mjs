// A receiver of signed webhooks: WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.mjs
import { createServer } from 'node:http';
import { isFromGateway } from './verify-webhook.mjs';

const secret = process.env.WEBHOOK_SECRET;
// An empty secret would verify what anyone signs with an empty key.
if (!secret) throw new Error('WEBHOOK_SECRET is not set: it is in the answer that registered the webhook');
const port = Number(process.env.RECEIVER_PORT ?? 4000);

const server = createServer(async (request, response) => {
  const rawBody = Buffer.concat(await request.toArray());
  const genuine = isFromGateway(request.headers, rawBody, secret);
  response.writeHead(genuine ? 200 : 401).end();
  if (!genuine) return console.log('FORGED');
  const { event, data } = JSON.parse(rawBody.toString('utf8'));
  console.log(`genuine ${event} ${data.id} ${data.status}`);
});
server.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}/`));
