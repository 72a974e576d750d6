import { counter } from '@gateway/service-kit';
import type { SecretBox } from '@gateway/service-kit';
import { addDeliveries, addEvents, wakeLanes } from '#src/intake/add-deliveries.ts';
import type { Draft, ReceivedEvent } from '#src/intake/draft.ts';
import { encoders } from '#src/intake/encoders.ts';
import { callbackDestinations } from '#src/intake/callback-destinations.ts';
import { registeredDestinations, type Destination } from '#src/intake/registered-destinations.ts';
import { sealBody } from '#src/intake/stored-body.ts';
import type { PreparedTx } from '#src/lanes/prepared-transaction.ts';

const suppressed = counter(
  'gateway_webhook_duplicates_suppressed_total',
  'Deliveries an endpoint had been given before',
);

/**
 * Gives each event to the endpoints that want it: one delivery per (endpoint, data id, event name), ever. The body is
 * stored once per variant, and only when somebody is to receive it.
 *
 * @returns how many deliveries are new
 */
export async function fanOut(tx: PreparedTx, events: readonly ReceivedEvent[], secretBox: SecretBox): Promise<number> {
  const destinations = [
    ...(await registeredDestinations(tx, events, secretBox)),
    ...(await callbackDestinations(tx, events, secretBox)),
  ];
  const drafts = destinations.flatMap((destination) => draftOf(destination, secretBox));
  if (drafts.length === 0) return 0;
  const added = await addDeliveries(tx, drafts);
  suppressed.add(drafts.length - added.length);
  if (added.length === 0) return 0;
  await addEvents(tx, drafts, added);
  await wakeLanes(tx, added);
  return added.length;
}

function draftOf({ received, reader, format, url }: Destination, secretBox: SecretBox): Draft[] {
  const { confidential, variantFor, encode } = encoders[format];
  const body = encode(received.event, reader);
  if (!body) return [];
  const variant = variantFor(reader);
  const stored = confidential ? sealBody(body, received.event.id, variant, secretBox) : body;
  return [{ ...received, endpointId: reader.id, format: variant, body: stored, url }];
}
