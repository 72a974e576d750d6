import type { MsgHdrs } from '@nats-io/nats-core';
import { headers as createHeaders } from '@nats-io/nats-core';

/** A message no consumer may stumble over, whatever it does with it. */
export interface Poison {
  readonly name: string;
  readonly body: Uint8Array;
  readonly headers?: MsgHdrs;
}

/** The broker takes no more than a mebibyte. */
const bodyLength = 1_000_000;
const nestedLevels = 500_000;

/** What has stopped programs that read messages: bytes no text holds, numbers no number holds, depth no stack holds. */
export function poisonMessages(): Poison[] {
  return [
    text('a NUL in what is no JSON', 'not json \0 at all'),
    text('a NUL in a text', '{"id":"a\\u0000b","name":"\\u0000"}'),
    { name: 'a NUL in a header', body: Buffer.from('not json'), headers: header('X-Poison', 'a\0b') },
    { name: 'a number of events that is none', body: Buffer.from('[{}]'), headers: header('Gateway-Events', 'many') },
    { name: 'fewer events than none', body: Buffer.from('[]'), headers: header('Gateway-Events', '-1') },
    text('half a surrogate pair', '{"id":"\\ud800","name":"\\udfff"}'),
    { name: 'half a surrogate pair in bytes', body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]) },
    { name: 'bytes that are no text', body: Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc0]) },
    text('nothing', ''),
    text('null', 'null'),
    text('a list', '[]'),
    text('a megabyte of text', JSON.stringify({ id: 'a'.repeat(bodyLength) })),
    text('half a million levels', `${'['.repeat(nestedLevels)}${']'.repeat(nestedLevels)}`),
    text('a million levels that never end', '['.repeat(bodyLength)),
    text('levels inside of a member', `{"id":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
    text('a prototype', '{"__proto__":{"id":"x"},"constructor":{"prototype":{"id":"x"}}}'),
    text('a prototype as an id', '{"id":"__proto__","kind":"__proto__","kind":"constructor"}'),
    text('numbers beyond numbers', '{"id":1e400,"amount":-1e400,"worth":9007199254740993,"fee":1e-400}'),
    text('a number of a thousand digits', `{"amount":${'9'.repeat(1_000)}}`),
  ];
}

function text(name: string, body: string): Poison {
  return { name, body: Buffer.from(body) };
}

function header(name: string, value: string): MsgHdrs {
  const headers = createHeaders();
  headers.append(name, value);
  return headers;
}
