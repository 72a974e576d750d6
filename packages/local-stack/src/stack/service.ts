/** What a service learns about the stack it runs in. */
export interface StackAddresses {
  /** Where the public listener listens; everything that is not named here listens on loopback alone. */
  host: string;
  publicPort: number;
  /** How this machine reaches the public listener. */
  baseUrl: string;
  /** How the world reaches it, for links in answers. */
  publicUrl: string;
  opsHost: string;
  opsPort: number;
  opsUrl: string;
  /** Whether nobody but this machine reaches the listeners. */
  isLocal: boolean;
  simulatorPort: number;
  simulatorUrl: string;
  compatPort: number;
  compatUrl: string;
  operators: readonly { name: string; token: string }[];
}

/** One service of the stack: a script run by Node that answers `/health` and `/ready` on INTERNAL_PORT. */
export interface Service {
  name: string;
  /** Absolute path of its entry point. */
  script: string;
  /** When it is stopped: the highest tier first. */
  tier: number;
  /** Half of V8's young generation at most, in MB. Default: 2, enough where there is no load. */
  semiSpaceMb?: number;
  /** What its environment has beyond that of every service. */
  environment(stack: StackAddresses): Record<string, string>;
  /** A URL of it that answers 2xx once it reaches every other service it works with. */
  wholeUrl?(stack: StackAddresses): string;
  /** The service it is one more of, with whom it shares the database. */
  replicaOf?: string;
}

/** The database, and its role, of a service: `api-gateway` owns `gateway_api_gateway`. */
export function databaseName({ name, replicaOf }: Pick<Service, 'name' | 'replicaOf'>): string {
  return `gateway_${(replicaOf ?? name).replaceAll('-', '_')}`;
}
