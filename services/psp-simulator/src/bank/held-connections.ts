import type { FastifyReply } from 'fastify';

/** Connections that are kept waiting for an answer that never comes. */
export class HeldConnections implements Disposable {
  readonly #held = new Set<FastifyReply>();

  hold(reply: FastifyReply): void {
    reply.hijack();
    this.#held.add(reply);
    reply.raw.on('close', () => this.#held.delete(reply));
  }

  [Symbol.dispose](): void {
    for (const reply of this.#held) reply.raw.socket?.destroy();
  }
}
