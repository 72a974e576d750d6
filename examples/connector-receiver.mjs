// A receiver of the connector's notifications: WEBHOOK_SECRET=whsec_… PARAPHRASE='our words' node examples/connector-receiver.mjs
import { createServer } from 'node:http';
import { isFromGateway } from './verify-webhook.mjs';

const secret = process.env.WEBHOOK_SECRET;
// An empty secret would verify what anyone signs with an empty key.
if (!secret) throw new Error('WEBHOOK_SECRET is not set: rotating the secret of the registration shows it');
const paraphrase = process.env.PARAPHRASE ?? '';
const port = Number(process.env.RECEIVER_PORT ?? 4000);

const server = createServer(async (request, response) => {
  const rawBody = Buffer.concat(await request.toArray());
  const genuine = isFromGateway(request.headers, rawBody, secret);
  response.writeHead(genuine ? 200 : 401).end();
  if (!genuine) return console.log('FORGED');
  const { type, status, externalId, value, securityParaphrase } = JSON.parse(rawBody.toString('utf8'));
  const note = securityParaphrase === paraphrase ? '' : ' with another paraphrase';
  console.log(`genuine ${type} ${externalId} ${status} ${value}${note}`);
});
server.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}/`));
