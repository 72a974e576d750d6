import type { EndpointFormat } from '#src/endpoints/endpoint.ts';
import { connectorEncoder } from '#src/fanout/connector-encoder.ts';
import type { Encoder } from '#src/fanout/encoder.ts';

/** The shape of spec 6 with the id of the event, its `data` in the contract version of the endpoint. */
const native: Encoder = {
  confidential: false,
  variantFor: ({ apiVersion }) => `native-${apiVersion}`,
  encode: ({ id, name, createdAt, environment, present }, { apiVersion }) =>
    Buffer.from(JSON.stringify({ id, event: name, created_at: createdAt, environment, data: present(apiVersion) })),
};

export const encoders: Readonly<Record<EndpointFormat, Encoder>> = { native, connector: connectorEncoder };
