import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessRegister } from '#src/processes/process-register.ts';
import { messageOf, type Progress } from '#src/progress.ts';

/** Stopping order: the highest tier ends first, one tier after the other. */
export const edgeTier = 4;
export const workTier = 3;
export const coreTier = 2;
export const brokerTier = 1;
export const databaseTier = 0;

const restartDelayMinMs = 200;
const restartDelayMaxMs = 5_000;
const healthyAfterMs = 30_000;
const logBytesMax = 20 * 1024 * 1024;

/** How to run one child process. */
export interface ProcessDefinition {
  name: string;
  command: string;
  args: string[];
  /** The child's whole environment; nothing is inherited. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  uid?: number;
  gid?: number;
  /** Output is appended here; a file over 20 MB is moved to `<logFile>.1` when the process starts. */
  logFile: string;
  /** Asks the process to stop in good order. */
  stopSignal: NodeJS.Signals;
  /** After this long it is killed. */
  stopTimeoutMs: number;
  /** When a later start ends leftovers: higher tiers first. */
  tier: number;
  /** Whether it does its work; asked again and again while starting. Must not hang. */
  isReady(): Promise<boolean>;
  /** Runs before every start, restarts included. */
  beforeStart?(): Promise<void>;
}

/** One child process that is restarted with a growing delay whenever it exits without having been asked to. */
export class SupervisedProcess {
  readonly definition: ProcessDefinition;
  readonly #register: ProcessRegister;
  readonly #progress: Progress;
  #child: ChildProcess | undefined;
  #cancelRestart: AbortController | undefined;
  #launching: Promise<void> | undefined;
  #wanted = false;
  #restartCount = 0;
  #restartDelayMs = restartDelayMinMs;

  constructor(definition: ProcessDefinition, register: ProcessRegister, progress: Progress) {
    this.definition = definition;
    this.#register = register;
    this.#progress = progress;
  }

  get name(): string {
    return this.definition.name;
  }

  /** The running child's pid; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** How often it was started again after an unexpected exit. */
  get restartCount(): number {
    return this.#restartCount;
  }

  isReady(): Promise<boolean> {
    return this.#child === undefined ? Promise.resolve(false) : this.definition.isReady();
  }

  /** Starts it, if it is not running; resolves once the process exists, which says nothing about readiness. */
  async start(): Promise<void> {
    if (this.#wanted) return;
    this.#wanted = true;
    try {
      await this.#launch();
    } catch (error) {
      this.#wanted = false;
      throw error;
    }
  }

  /** Sends a signal past the supervision: a killed process counts as an unexpected exit. */
  kill(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it in good order, by force after `stopTimeoutMs`, and keeps it ended. `signal` replaces the usual one. */
  async stop(signal: NodeJS.Signals = this.definition.stopSignal): Promise<void> {
    this.#wanted = false;
    this.#cancelRestart?.abort();
    await this.#launching?.catch(() => undefined);
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const timeout = new AbortController();
    const kill = delay(this.definition.stopTimeoutMs, undefined, { signal: timeout.signal }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    );
    await exited;
    timeout.abort();
    await kill;
  }

  async restart(signal?: NodeJS.Signals): Promise<void> {
    await this.stop(signal);
    await this.start();
  }

  #launch(): Promise<void> {
    this.#launching = this.#spawnWhenPrepared().finally(() => (this.#launching = undefined));
    return this.#launching;
  }

  async #spawnWhenPrepared(): Promise<void> {
    await this.definition.beforeStart?.();
    if (!this.#wanted) return;
    const child = this.#spawn();
    const startedAt = Date.now();
    child.on('exit', (code, signal) => this.#ended(`exited (${signal ?? `code ${code}`})`, startedAt));
    await once(child, 'spawn');
    // A signal that cannot be delivered is reported as an 'error' event too; the exit says what matters.
    child.on('error', () => undefined);
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.#child = child;
    this.#register.record(this.name, child.pid, this.definition.stopSignal, this.definition.tier);
  }

  #spawn(): ChildProcess {
    const { command, args, env, cwd, uid, gid, logFile } = this.definition;
    const log = openLog(logFile);
    try {
      return spawn(command, args, {
        env,
        cwd,
        uid,
        gid,
        stdio: ['ignore', log, log],
        // A group of its own: Ctrl-C at the terminal reaches the supervisor alone, which then stops all in order.
        detached: true,
      });
    } finally {
      closeSync(log);
    }
  }

  #ended(how: string, startedAt: number): void {
    this.#child = undefined;
    this.#register.forget(this.name);
    if (!this.#wanted) return;
    if (Date.now() - startedAt >= healthyAfterMs) this.#restartDelayMs = restartDelayMinMs;
    this.#progress(`${this.name} ${how}; starting it again in ${this.#restartDelayMs} ms (${this.definition.logFile})`);
    void this.#restartLater();
  }

  async #restartLater(): Promise<void> {
    const cancel = new AbortController();
    this.#cancelRestart = cancel;
    const waitMs = this.#restartDelayMs;
    this.#restartDelayMs = Math.min(waitMs * 2, restartDelayMaxMs);
    try {
      await delay(waitMs, undefined, { signal: cancel.signal });
    } catch {
      return;
    }
    this.#restartCount++;
    const startedAt = Date.now();
    try {
      await this.#launch();
    } catch (error) {
      this.#ended(`could not be started: ${messageOf(error)}`, startedAt);
    }
  }
}

function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
