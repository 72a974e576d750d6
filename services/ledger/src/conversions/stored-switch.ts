import type { ConversionSwitch, setConversionSwitch } from '@gateway/contracts/conversions';
import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';

interface SwitchDependencies {
  readonly database: Database;
  /** Whether the configuration allows live conversions; without that the switch has no effect. */
  readonly isAllowed: boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
}

type Row = Omit<ConversionSwitch, 'allowed'>;
type Request = RequestOf<typeof setConversionSwitch>;

const columns = `position as live, version, set_by as by, floor(extract(epoch from set_at))::bigint as at, reason`;

/** Whether operators have switched live conversions on. It is read each time, so that all replicas obey it at once. */
export class StoredSwitch {
  readonly #dependencies: SwitchDependencies;

  constructor(dependencies: SwitchDependencies) {
    this.#dependencies = dependencies;
  }

  async read(): Promise<ConversionSwitch> {
    const rows = await this.#dependencies.database.query<Row>(`select ${columns} from conversion_switch`);
    return this.#shown(rows);
  }

  /** @throws DomainError INVALID_STATE when it is not allowed, or was set by another operator since `ifVersion` */
  async set(request: Request): Promise<ReplyOf<typeof setConversionSwitch>> {
    const { database, isAllowed, now } = this.#dependencies;
    const { live, by, reason, ifVersion } = request;
    if (live === 'on' && !isAllowed) {
      throw new DomainError('INVALID_STATE', 'live conversions are not allowed here: LIVE_CONVERSIONS is off');
    }
    return await database.transaction(async (tx) => {
      const before = this.#shown(await tx.sql<Row>(`select ${columns} from conversion_switch for update`));
      if (ifVersion !== null && isResultOf(request, ifVersion, before)) return { before, after: before };
      if (ifVersion !== null && before.version !== ifVersion) {
        throw new DomainError('INVALID_STATE', 'the switch was set by an operator meanwhile; propose it again');
      }
      const after = await tx.sql<Row>(
        `update conversion_switch set position = $1, version = version + 1, set_by = $2, set_at = $3, reason = $4
         returning ${columns}`,
        [live, by, new Date(now()), reason],
      );
      return { before, after: this.#shown(after) };
    });
  }

  #shown([row]: readonly Row[]): ConversionSwitch {
    if (!row) throw new Error('the switch of live conversions has no row');
    return { ...row, allowed: this.#dependencies.isAllowed };
  }
}

/** The answer to a request may have been lost, and it is then asked again. */
function isResultOf({ live, by, reason }: Request, ifVersion: number, found: ConversionSwitch): boolean {
  return found.version === ifVersion + 1 && found.live === live && found.by === by && found.reason === reason;
}
