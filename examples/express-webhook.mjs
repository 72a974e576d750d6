import express from 'express';
import { nodeWebhookListener } from '@gateway/sdk/webhooks';

const secret = process.env.WEBHOOK_SECRET;
// An empty secret would verify what anyone signs with an empty key.
if (!secret) throw new Error('WEBHOOK_SECRET is not set: it is in the answer that registered the webhook');

const receive = nodeWebhookListener({
  secret,
  on: (event) => console.log(`genuine ${event.event} ${event.data.id}`),
});
const app = express();
// Above express.json(): what a parser has read, nothing can verify any more.
app.post('/webhooks', receive);
app.use(express.json());
app.listen(4000);
