import { spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startWebhookReceiver, type ReceivedWebhook, type WebhookReceiver } from '../support/webhook-receiver.ts';
import type { CliProcess } from './cli-process.ts';

const examples = join(import.meta.dirname, '../../examples');

/** `gateway listen` as a process that can be killed, stopped and begun again, and the receiver that it forwards to. */
export class Listening implements AsyncDisposable {
  readonly receiver: WebhookReceiver;
  readonly #cli: CliProcess;
  #child: ChildProcessWithoutNullStreams | undefined;
  #talk = '';

  private constructor(cli: CliProcess, receiver: WebhookReceiver) {
    this.#cli = cli;
    this.receiver = receiver;
  }

  static async begin(cli: CliProcess): Promise<Listening> {
    const listening = new Listening(cli, await startWebhookReceiver());
    await listening.beginAgain();
    return listening;
  }

  /** The same command. Resolves once its place in the log is on disk. */
  async beginAgain(): Promise<void> {
    const child = this.#cli.start(['listen', '--forward-to', this.receiver.url, '--quiet']);
    this.#child = child;
    child.stdout.resume();
    this.#talk = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        this.#talk += text;
        if (this.#talk.includes('forwarding')) resolve();
      });
      child.once('exit', () => reject(new Error(`listen ended: ${this.#talk}`)));
    });
  }

  /** kill -9: nothing of it runs any further. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** As the lid of a laptop does. */
  suspend(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ids of the events as they came, again and again too. */
  get received(): string[] {
    return this.receiver.received.map(({ body }) => body.id as string);
  }

  /** Of the events that came, each where it came first. */
  get ids(): string[] {
    return [...new Set(this.received)];
  }

  /** How often the command has reported it, since it was begun. */
  reports(words: string): number {
    return this.#talk.split(words).length - 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.receiver[Symbol.asyncDispose]();
  }
}

/** The programs of `examples/` that merchants verify with, as filters of a list of deliveries. */
const verifiers = {
  'verify-webhook.mjs': {
    command: process.execPath,
    text: `import { isFromGateway } from ${JSON.stringify(join(examples, 'verify-webhook.mjs'))};
      let input = ''; for await (const chunk of process.stdin) input += chunk;
      const { secret, deliveries } = JSON.parse(input);
      const isGood = ({ headers, body }) => isFromGateway(headers, Buffer.from(body, 'base64'), secret);
      console.log(JSON.stringify(deliveries.filter(isGood).map(({ id }) => id)));`,
    args: ['--input-type=module', '-e'],
  },
  'verify_webhook.py': {
    command: 'python3',
    text: `import sys, json, base64; sys.path.insert(0, ${JSON.stringify(examples)}); sys.dont_write_bytecode = True
from verify_webhook import is_from_gateway
given = json.load(sys.stdin)
good = lambda sent: is_from_gateway(sent["headers"], base64.b64decode(sent["body"]), given["secret"])
print(json.dumps([sent["id"] for sent in given["deliveries"] if good(sent)]))`,
    args: ['-c'],
  },
} as const;

export const exampleReceivers = Object.keys(verifiers) as readonly (keyof typeof verifiers)[];

/** Ids of the events whose deliveries a program of `examples/` accepts. */
export function acceptedBy(
  example: keyof typeof verifiers,
  received: readonly ReceivedWebhook[],
  secret: string,
): string[] {
  const deliveries = received.map(({ headers, rawBody, body }) => ({
    ...{ id: body.id as string, headers, body: rawBody.toString('base64') },
  }));
  const { command, args, text } = verifiers[example];
  const input = JSON.stringify({ secret, deliveries });
  const { stdout, stderr } = spawnSync(command, [...args, text], { input, encoding: 'utf8' });
  if (stderr !== '') throw new Error(`${example}: ${stderr}`);
  return JSON.parse(stdout) as string[];
}
