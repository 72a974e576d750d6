import { Client, type BindConfig, type Connection } from 'pg';
import { expect, test } from 'vitest';
import { textArray } from '#src/array-parameter.ts';
import { bindMessage } from '#src/bind-message.ts';

/** What the driver itself would send. */
function messageOfDriver(config: BindConfig): Buffer {
  const { connection } = new Client() as unknown as { readonly connection: Connection };
  const sent: Buffer[] = [];
  connection.stream.write = ((message: Buffer) => sent.push(message) > 0) as typeof connection.stream.write;
  Object.defineProperty(connection.stream, 'writable', { value: true });
  connection.bind(config, false);
  return Buffer.concat(sent);
}

const long = 'ção €'.repeat(2_000);

test.each<[string, BindConfig]>([
  ['without parameters', {}],
  ['with a name and no value', { statement: 'claim-payouts', values: [] }],
  ['with text, numbers in text, nothing, and bytes', { statement: 'ç', values: ['', 'ção €', null, undefined, '12'] }],
  ['with arrays of every length', { values: [textArray([]), textArray(['a', null]), long, textArray([long])] }],
  ['with results in binary, in a portal', { portal: 'one', binary: 'true', values: [Buffer.alloc(0)] }],
  ['with values to be mapped', { values: ['a', 'b'], valueMapper: (value: string, index) => `${value}${index}` }],
])('a statement %s is bound as the driver would bind it', (_what, config) => {
  expect(bindMessage(config).toString('hex')).toBe(messageOfDriver(config).toString('hex'));
});

test('the parameters of a batch take as much memory as they have bytes', () => {
  const message = bindMessage({ values: [textArray(Array.from({ length: 200 }, () => long))] });
  expect(message.buffer.byteLength).toBe(message.length);
});
