// Compares `verifyWebhook` with the library of Standard Webhooks, whose folder is the argument: of a delivery that both take,
// each character is changed in turn. Prints how many were changed, and those about which the two do not agree.
import { createRequire } from 'node:module';
import { argv } from 'node:process';
import { sampleEvent, signedDelivery, testSecret } from '@gateway/sdk/testing';
import { verifyWebhook } from '@gateway/sdk/webhooks';

const { Webhook } = createRequire(import.meta.url)(argv[2]);
const standard = new Webhook(testSecret);
const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const signed = await signedDelivery({ secret: testSecret, event: sampleEvent('deposit.paid') });
// Without the gateway's own signature, which would be looked at first.
const genuine = { body: signed.body, headers: Object.fromEntries(names.map((name) => [name, signed.headers[name]])) };

async function taken({ body, headers }) {
  const ours = await verifyWebhook({ body, headers, secret: testSecret }).then(
    () => true,
    () => false,
  );
  try {
    standard.verify(body, headers);
    return [ours, true];
  } catch {
    return [ours, false];
  }
}

function mutated(text) {
  // The last character of a signature has two bits that base64 leaves out: by those alone 0, 1, 2 and 3 differ.
  return [...text].map((was, at) => `${text.slice(0, at)}${/[0-3]/.test(was) ? '7' : '1'}${text.slice(at + 1)}`);
}

const changed = [
  ...mutated(genuine.body).map((body) => ({ ...genuine, body })),
  ...names.flatMap((name) =>
    mutated(genuine.headers[name]).map((text) => ({ ...genuine, headers: { ...genuine.headers, [name]: text } })),
  ),
  ...names.map((name) => ({ ...genuine, headers: { ...genuine.headers, [name]: undefined } })),
];
const accepted = [];
for (const each of changed) if ((await taken(each)).some(Boolean)) accepted.push(each);
console.log(JSON.stringify({ genuine: await taken(genuine), enough: changed.length > 300, accepted }));
