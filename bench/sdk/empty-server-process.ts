import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../load/child.ts';

/** What the gateway answers a creation with, in the size that it has. */
const deposit = JSON.stringify({
  id: 'dep_01JD00000000000000000000AA',
  object: 'deposit',
  external_id: 'order-1',
  status: 'PENDING',
  amount_cents: 1_500,
  pix: { emv: '0'.repeat(180), qr_url: 'https://gateway.example/qr' },
  metadata: { channel: 'app' },
  created_at: 1_767_225_600,
});

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
  response.end(deposit);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

answerParent(() => Promise.resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
