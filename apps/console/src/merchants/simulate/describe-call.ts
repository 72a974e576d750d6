/** A call of test mode, as it is sent and as it is shown to who writes the integration. */
export interface TestCall {
  /** `/v1/test/deposits/dep_…/dispute`. */
  readonly path: string;
  /** In both SDKs below `test`: `deposits.dispute`. */
  readonly method: string;
  /** What it is about; undefined where it is about the whole account. */
  readonly id: string | undefined;
  readonly body: Readonly<Record<string, string | number>>;
}

/** In what the calls are shown. */
export const programs = { curl: 'curl', ts: 'TypeScript', py: 'Python' } as const;
export type Program = keyof typeof programs;

/** The call as it is typed, in the contract in which this console calls. */
export function textOf(program: Program, call: TestCall): string {
  switch (program) {
    case 'curl':
      return curlOf(call);
    case 'ts':
      return typescriptOf(call);
    case 'py':
      return pythonOf(call);
  }
}

function curlOf({ path, body }: TestCall): string {
  const hasBody = Object.keys(body).length > 0;
  return [
    'curl -sS -X POST',
    `"$GATEWAY_BASE_URL${path}"`,
    '-u "$GATEWAY_API_KEY:$GATEWAY_API_SECRET"',
    "-H 'x-api-version: 1.0'",
    ...(hasBody ? [`-H 'content-type: application/json' -d '${JSON.stringify(body)}'`] : []),
  ].join(' \\\n  ');
}

function typescriptOf({ method, id, body }: TestCall): string {
  const members = Object.entries(body).map(([name, value]) => `${name}: ${quoted(value)}`);
  const given = [
    ...(id === undefined ? [] : [`'${id}'`]),
    ...(members.length > 0 ? [`{ ${members.join(', ')} }`] : []),
  ];
  return [
    "import { Gateway } from '@gateway/sdk';",
    '',
    "const gateway = Gateway.fromEnv({ apiVersion: '1.0' });",
    `await gateway.test.${method}(${given.join(', ')});`,
  ].join('\n');
}

function pythonOf({ method, id, body }: TestCall): string {
  const members = Object.entries(body).map(([name, value]) => `${name}=${quoted(value, '"')}`);
  const given = [...(id === undefined ? [] : [`"${id}"`]), ...members];
  return [
    'from gateway_sdk.v1_0 import Gateway',
    '',
    'gateway = Gateway.from_env()',
    `gateway.test.${method}(${given.join(', ')})`,
  ].join('\n');
}

function quoted(value: string | number, mark = "'"): string {
  return typeof value === 'number' ? String(value) : `${mark}${value}${mark}`;
}
