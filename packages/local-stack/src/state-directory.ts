import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf, StartFailure } from '#src/progress.ts';

/** The root of the repository. */
export const repository = join(import.meta.dirname, '../../..');

const secretsSchema = z.object({
  postgresPassword: z.string().min(1),
  /** Per database name. */
  databasePasswords: z.record(z.string(), z.string().min(1)),
  /** Of the broker's users, by name; homes of earlier versions have none yet. */
  natsPasswords: z.record(z.string(), z.string().min(1)).default({}),
  /** 32 random bytes in base64: the key of everything encrypted at rest. */
  secretsKey: z.string().min(1),
  opsTokens: z.tuple([z.string().min(1), z.string().min(1)]),
});
export type Secrets = z.infer<typeof secretsSchema>;

/** Everything a stack keeps between runs, in one directory. What is secret in it, only its owner may read. */
export class StateDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  /** @throws StartFailure when it cannot be made. */
  static create(path: string): StateDirectory {
    const home = new StateDirectory(path);
    try {
      // PostgreSQL may have to run as another user, who must get through to its own directory.
      mkdirSync(home.path, { recursive: true, mode: 0o711 });
      mkdirSync(join(home.path, 'logs'), { recursive: true, mode: 0o700 });
      mkdirSync(join(home.path, 'run'), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new StartFailure(`cannot use the state directory ${home.path} (${messageOf(error)}); set GATEWAY_HOME`);
    }
    return home;
  }

  get processesFile(): string {
    return join(this.path, 'run', 'pids.json');
  }

  get lockFile(): string {
    return join(this.path, 'run', 'supervisor.json');
  }

  get devFile(): string {
    return join(this.path, 'dev.json');
  }

  logFile(name: string): string {
    return join(this.path, 'logs', `${name}.log`);
  }

  /** Where the services keep their spans (`npm run trace`). */
  get tracesDirectory(): string {
    return join(this.path, 'traces');
  }

  /** The stack's secrets, made up at the first call and kept. */
  secrets(): Secrets {
    const file = join(this.path, 'secrets.json');
    if (existsSync(file)) return secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    const secrets: Secrets = {
      postgresPassword: randomText(),
      databasePasswords: {},
      natsPasswords: {},
      secretsKey: randomBytes(32).toString('base64'),
      opsTokens: [randomText(), randomText()],
    };
    writePrivate(file, secrets);
    return secrets;
  }

  /** That of a cluster that was made elsewhere. */
  keepPostgresPassword(postgresPassword: string): void {
    writePrivate(join(this.path, 'secrets.json'), { ...this.secrets(), postgresPassword });
  }

  /** The password of one database's role, made up at the first call and kept. */
  databasePassword(name: string): string {
    const secrets = this.secrets();
    const known = secrets.databasePasswords[name];
    if (known !== undefined) return known;
    const password = randomText();
    secrets.databasePasswords[name] = password;
    writePrivate(join(this.path, 'secrets.json'), secrets);
    return password;
  }

  /** The password of one of the broker's users, made up at the first call and kept. */
  natsPassword(user: string): string {
    const secrets = this.secrets();
    const known = secrets.natsPasswords[user];
    if (known !== undefined) return known;
    const password = randomText();
    secrets.natsPasswords[user] = password;
    writePrivate(join(this.path, 'secrets.json'), secrets);
    return password;
  }
}

/** Writes JSON that only the owner may read, in one step: a crash leaves the old file or the new one. */
export function writePrivate(file: string, content: unknown): void {
  const next = `${file}.next`;
  writeFileSync(next, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}

function randomText(): string {
  return randomBytes(24).toString('base64url');
}
