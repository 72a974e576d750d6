import type { Answer, Body, Version } from '../contracts.ts';
import type { ApiPromise } from '../core/answer.ts';
import type { Requester } from '../core/requester.ts';
import type { Options } from '../core/send.ts';

/** The account of the key. */
export class Account<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  get(options?: Options): ApiPromise<Answer<V, 'getAccount'>> {
    return this.#requester.call('getAccount', {}, options);
  }

  /** The answer alone has the secret that callback URLs are signed with; it replaces the last one. */
  createCallbackSecret(options?: Options): ApiPromise<Answer<V, 'createCallbackSecret'>> {
    return this.#requester.call('createCallbackSecret', {}, options);
  }

  branding(options?: Options): ApiPromise<Answer<V, 'getBranding'>> {
    return this.#requester.call('getBranding', {}, options);
  }

  replaceBranding(params: Body<V, 'replaceBranding'>, options?: Options): ApiPromise<Answer<V, 'replaceBranding'>> {
    return this.#requester.call('replaceBranding', { body: params }, options);
  }
}

/** The addresses that the key may be used from. */
export class IpAllowlist<V extends Version> {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  get(options?: Options): ApiPromise<Answer<V, 'getIpAllowlist'>> {
    return this.#requester.call('getIpAllowlist', {}, options);
  }

  /** @throws IpAllowlistExcludesCallerError when it leaves out the address of the call; nothing changes then */
  replace(params: Body<V, 'replaceIpAllowlist'>, options?: Options): ApiPromise<Answer<V, 'replaceIpAllowlist'>> {
    return this.#requester.call('replaceIpAllowlist', { body: params }, options);
  }
}
