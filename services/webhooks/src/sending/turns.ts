/** After this time without an answer a receiver is called again beside the call that is under way. */
const patienceMs = 50;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * Calls of one receiver take turns while it answers quickly: the next one finds the kept connection free, where all at
 * once would each have to make their own. A receiver that takes its time gets twice as many calls at once after each
 * patience, up to all that its lane allows.
 */
export class Turns {
  readonly #lines = new Map<string, Line>();

  async run<T>(receiver: string, call: () => Promise<T>): Promise<T> {
    const line = this.#lineOf(receiver);
    if (line.running === 0) line.running = 1;
    else await turnIn(line);
    try {
      return await call();
    } finally {
      line.running -= 1;
      startNext(line);
      if (line.running === 0) this.#lines.delete(receiver);
    }
  }

  #lineOf(receiver: string): Line {
    const known = this.#lines.get(receiver);
    if (known) return known;
    const line = { running: 0, waiting: [], timer: undefined };
    this.#lines.set(receiver, line);
    return line;
  }
}

async function turnIn(line: Line): Promise<void> {
  await new Promise<void>((resolve) => {
    line.waiting.push(resolve);
    line.timer ??= setTimeout(() => widen(line), patienceMs);
  });
}

function widen(line: Line): void {
  line.timer = undefined;
  for (let more = line.running; more > 0; more--) startNext(line);
  if (line.waiting.length > 0) line.timer = setTimeout(() => widen(line), patienceMs);
}

function startNext(line: Line): void {
  const start = line.waiting.shift();
  if (line.waiting.length === 0) {
    clearTimeout(line.timer);
    line.timer = undefined;
  }
  if (!start) return;
  line.running += 1;
  start();
}
