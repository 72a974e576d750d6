import { WireBench, type ProviderId } from '../wire-bench.ts';
import { Recorder } from './recorder.ts';

/** Every call is answered here, however busy the machine is. */
const callTimeoutMs = 30_000;

/** The bench with a recorder before each adapter. */
export class RecordedBench implements AsyncDisposable {
  readonly bench: WireBench;
  readonly #recorders: ReadonlyMap<ProviderId, Recorder>;

  private constructor(bench: WireBench, recorders: ReadonlyMap<ProviderId, Recorder>) {
    this.bench = bench;
    this.#recorders = recorders;
  }

  static async start(): Promise<RecordedBench> {
    const recorders = new Map<ProviderId, Recorder>();
    const via = async (id: ProviderId, url: string) => {
      const recorder = await Recorder.start(url);
      recorders.set(id, recorder);
      return recorder.url;
    };
    const bench = await WireBench.start({}, { via, callTimeoutMs });
    return new RecordedBench(bench, recorders);
  }

  recorder(id: ProviderId): Recorder {
    const recorder = this.#recorders.get(id);
    if (!recorder) throw new Error(`no recorder before ${id}`);
    return recorder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bench[Symbol.asyncDispose]();
    for (const recorder of this.#recorders.values()) await recorder[Symbol.asyncDispose]();
  }
}
