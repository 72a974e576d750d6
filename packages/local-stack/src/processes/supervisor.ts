import { lockHome } from '#src/processes/home-lock.ts';
import { endLeftovers, ProcessRegister } from '#src/processes/process-register.ts';
import { SupervisedProcess, type ProcessDefinition } from '#src/processes/supervised-process.ts';
import type { Progress } from '#src/progress.ts';
import type { StateDirectory } from '#src/state-directory.ts';

/** All processes of one state directory: no other supervisor starts any there, and none outlives `stop`. */
export class Supervisor implements AsyncDisposable {
  readonly #processes = new Map<string, SupervisedProcess>();
  readonly #register: ProcessRegister;
  readonly #unlock: () => void;
  readonly #progress: Progress;
  #stopping: Promise<void> | undefined;

  private constructor(register: ProcessRegister, unlock: () => void, progress: Progress) {
    this.#register = register;
    this.#unlock = unlock;
    this.#progress = progress;
  }

  /**
   * Takes the state directory and ends what an earlier supervisor left running on it.
   *
   * @throws StartFailure when another supervisor runs on it.
   */
  static async open(home: StateDirectory, progress: Progress): Promise<Supervisor> {
    const unlock = lockHome(home);
    try {
      await endLeftovers(home.processesFile, progress);
      return new Supervisor(new ProcessRegister(home.processesFile), unlock, progress);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Starts a process and keeps it running. @throws Error once all of them are being ended */
  async run(definition: ProcessDefinition): Promise<SupervisedProcess> {
    if (this.#stopping) throw new Error(`${definition.name} is not started: all processes are being ended`);
    const child = new SupervisedProcess(definition, this.#register, this.#progress);
    this.#processes.set(definition.name, child);
    await child.start();
    return child;
  }

  /** @throws Error when there is no process of that name. */
  process(name: string): SupervisedProcess {
    const child = this.#processes.get(name);
    if (child === undefined) throw new Error(`no process is called ${name}`);
    return child;
  }

  get processes(): readonly SupervisedProcess[] {
    return [...this.#processes.values()];
  }

  /** Ends every process in good order, tier by tier. Calling it again waits for the same end. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  /** Kills every process at once, for the impatient. */
  killAll(): void {
    for (const child of this.#processes.values()) child.kill('SIGKILL');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stopAll(): Promise<void> {
    const tiers = [...new Set(this.processes.map((child) => child.definition.tier))].sort((a, b) => b - a);
    for (const tier of tiers) {
      const members = this.processes.filter((child) => child.definition.tier === tier);
      await Promise.all(members.map((child) => child.stop()));
    }
    this.#register.close();
    this.#unlock();
  }
}
