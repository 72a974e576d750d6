import type { BindConfig, Client, Connection } from 'pg';

const code = 'B'.charCodeAt(0);
const codeBytes = 1;
const int16Bytes = 2;
const int32Bytes = 4;
const nullLength = -1;
const formats = { text: 0, binary: 1 } as const;

/**
 * Has a connection write the parameters of a statement into one buffer of their length. The driver's own grows from 256 bytes
 * for each statement, in a dozen copies, and for the sake of what they leave behind V8 collects its whole heap.
 */
export function bindInOneBuffer(client: Client): void {
  const { connection } = client as unknown as { readonly connection: Connection };
  connection.bind = (config) => {
    if (connection.stream.writable) connection.stream.write(bindMessage(config ?? {}));
  };
}

/** The message Bind of PostgreSQL's protocol, byte by byte that of the driver. */
export function bindMessage({ portal = '', statement = '', binary, values = [], valueMapper }: BindConfig): Buffer {
  const parameters = values.map((value, index) => {
    const mapped = (valueMapper ? valueMapper(value, index) : value) as Buffer | string | null | undefined;
    return { value: mapped, bytes: lengthOf(mapped) };
  });
  const names = Buffer.from(`${portal}\0${statement}\0`);
  const formatsBytes = int16Bytes + int16Bytes * parameters.length;
  const valuesBytes = parameters.reduce((sum, { bytes }) => sum + int32Bytes + bytes, int16Bytes);
  const resultBytes = 2 * int16Bytes;
  const bodyBytes = int32Bytes + names.length + formatsBytes + valuesBytes + resultBytes;
  const message = Buffer.allocUnsafe(codeBytes + bodyBytes);
  let end = message.writeInt32BE(bodyBytes, message.writeUInt8(code, 0));
  end += names.copy(message, end);
  end = message.writeUInt16BE(parameters.length, end);
  for (const { value } of parameters) {
    end = message.writeInt16BE(value instanceof Buffer ? formats.binary : formats.text, end);
  }
  end = message.writeUInt16BE(parameters.length, end);
  for (const { value, bytes } of parameters) {
    if (value === null || value === undefined) {
      end = message.writeInt32BE(nullLength, end);
      continue;
    }
    end = message.writeInt32BE(bytes, end);
    end += typeof value === 'string' ? message.write(value, end) : value.copy(message, end);
  }
  // One format for all columns of the result.
  message.writeInt16BE(binary ? formats.binary : formats.text, message.writeInt16BE(1, end));
  return message;
}

function lengthOf(value: Buffer | string | null | undefined): number {
  if (value === null || value === undefined) return 0;
  return value instanceof Buffer ? value.length : Buffer.byteLength(value);
}
