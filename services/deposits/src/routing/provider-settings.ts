import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';

export interface ProviderSetting {
  readonly enabled: boolean;
  readonly weight: number;
}

interface SettingRow extends ProviderSetting {
  readonly environment: Environment;
  readonly provider: string;
}

/** What operators have decided about providers, as this process knows it. */
export class ProviderSettings {
  readonly #database: Database;
  readonly #configured: (provider: string) => number;
  #known: ReadonlyMap<string, ProviderSetting> = new Map();
  #asked = 0;
  #answered = 0;

  /** @param configured the weight of a provider that operators have not decided about */
  constructor(database: Database, configured: (provider: string) => number) {
    this.#database = database;
    this.#configured = configured;
  }

  of(environment: Environment, provider: string): ProviderSetting {
    const configured = { enabled: true, weight: this.#configured(provider) };
    return this.#known.get(`${environment} ${provider}`) ?? configured;
  }

  /** Reads them again. An answer that a later question has overtaken is older than what is known. */
  async reload(): Promise<void> {
    const question = ++this.#asked;
    const rows = await this.#database.query<SettingRow>(
      'select environment, provider, enabled, weight from provider_setting',
    );
    if (question < this.#answered) return;
    this.#answered = question;
    this.#known = new Map(rows.map(({ environment, provider, ...setting }) => [`${environment} ${provider}`, setting]));
  }

  /** Changes what is given, in one statement: two operators at once do not undo each other's. */
  async change(environment: Environment, provider: string, change: Partial<ProviderSetting>): Promise<void> {
    const { enabled, weight } = this.of(environment, provider);
    await this.#database.query(
      `insert into provider_setting (environment, provider, enabled, weight)
       values ($1, $2, coalesce($3::boolean, $5::boolean), coalesce($4::integer, $6::integer))
       on conflict (environment, provider) do update
       set enabled = coalesce($3::boolean, provider_setting.enabled),
         weight = coalesce($4::integer, provider_setting.weight)`,
      [environment, provider, change.enabled ?? null, change.weight ?? null, enabled, weight],
    );
    await this.reload();
  }
}
