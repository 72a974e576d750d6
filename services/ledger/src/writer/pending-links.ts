import type { Statement } from '#src/chain/append-link.ts';
import type { Append } from '#src/chapters/close-chapter.ts';
import type { BatchWriter } from '#src/writer/batch-writer.ts';
import type { Session } from '#src/writer/session.ts';

interface PendingLink {
  readonly statement: Parameters<Append>[0];
  readonly done: PromiseWithResolvers<boolean>;
}

/** Links that move no money, which wait until the writer is between two batches. */
export class PendingLinks {
  readonly #waiting: PendingLink[] = [];
  #isOpen = false;

  /** While there is one, no batch is prepared during the commit of another. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  open(): void {
    this.#isOpen = true;
  }

  /** The shard is not written any more: those who wait ask again, or another process does. */
  close(): void {
    this.#isOpen = false;
    for (const { done } of this.#waiting.splice(0)) done.reject(new Error('the shard is not written any more'));
  }

  readonly append: Append = async (statement) => {
    if (!this.#isOpen) throw new Error('the shard is not written by this process');
    const done = Promise.withResolvers<boolean>();
    this.#waiting.push({ statement, done });
    return await done.promise;
  };

  /** To be called between two batches. A failure ends the lease, as that of a batch does. */
  async write(session: Session, writer: Pick<BatchWriter, 'append' | 'nextAtMs'>): Promise<void> {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const statement: Statement | undefined = await next.statement(
        async <Row extends object>(text: string, params: readonly unknown[]) =>
          (await session.query(text, [...params])).rows as Row[],
        writer.nextAtMs(),
      );
      if (statement) await writer.append(statement);
      this.#waiting.shift();
      next.done.resolve(statement !== undefined);
    }
  }
}
