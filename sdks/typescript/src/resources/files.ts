import type { Answer, Version } from '../contracts.ts';
import type { ApiPromise } from '../core/answer.ts';
import { formOf } from '../core/form.ts';
import type { Requester } from '../core/requester.ts';
import type { Options, Received } from '../core/send.ts';

/** Files that evidence against disputes names. */
export class Files<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * A PDF, PNG or JPEG file of up to 5 MiB. Give its `id` and `sha256` to `disputes.submitEvidence`. Not repeated when its
   * outcome is unknown: store it again, since a file that no evidence names is dropped.
   */
  create(
    params: { readonly file: Uint8Array; readonly name: string },
    options?: Options,
  ): ApiPromise<Answer<V, 'createFile'>> {
    return this.#requester.call('createFile', { form: formOf(params.name, params.file) }, options);
  }

  get(id: string, options?: Options): ApiPromise<Answer<V, 'getFile'>> {
    return this.#requester.call('getFile', { ids: [id] }, options);
  }

  /** Its bytes as they were stored. */
  content(id: string, options?: Options): ApiPromise<Uint8Array> {
    const read = ({ bytes }: Received) => bytes ?? new Uint8Array();
    return this.#requester.call('getFileContent', { ids: [id], accept: '*/*', read }, options);
  }
}
