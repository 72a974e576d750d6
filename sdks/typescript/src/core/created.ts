import { jsonOf, withMeta, type Created } from './answer.ts';
import { refuseAnotherRecord } from './reused.ts';
import type { Options, Received } from './send.ts';

/** What a creation by `external_id` takes besides. */
export interface CreateOptions extends Options {
  /** Takes the record of a used `external_id` as an answer even where it is not what was asked for. */
  readonly allowReused?: boolean | undefined;
}

/** Reads a creation by `external_id`. @throws ExternalIdReusedError unless it is what was asked for */
export function readCreated<Data extends object>(
  asked: object,
  options: CreateOptions | undefined,
  unwrap: (json: unknown) => unknown = (json) => json,
): (received: Received) => Created<Data> {
  return (received) => {
    const record = withMeta(unwrap(jsonOf(received)) as Data, received);
    if (!record.meta.created && options?.allowReused !== true)
      refuseAnotherRecord(asked as Record<string, unknown>, record);
    return record;
  };
}
