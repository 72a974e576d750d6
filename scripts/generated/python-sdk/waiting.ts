import { documented, pythonName, signatureLines } from './text.ts';

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

const waited: Readonly<Record<string, readonly [record: string, ends: readonly string[]]>> = {
  deposits: ['Deposit', ['PAID', 'EXPIRED', 'REFUNDED', 'FAILED']],
  payouts: ['Payout', ['PAID', 'FAILED', 'REJECTED']],
};

/** The methods that read a record until its end. @param payload what a payout is created with */
export function waitingMethods(resource: string, payload: readonly Parameter[]): string[] {
  const [record, ends] = waited[resource] ?? ['', []];
  if (record === '') return [];
  const noun = record.toLowerCase();
  const id = `${noun}_id`;
  const shown = `${ends.slice(0, -1).join(', ')} or ${ends.at(-1) ?? ''}`;
  const lines = [
    '',
    ...signatureLines(
      'async def wait_for',
      [`${id}: str`, '*', `until: Callable[[m.${record}], bool] | None = None`, 'options: WaitOptions | None = None'],
      `m.${record}`,
    ),
    ...documented(
      `Reads it until it is ${shown}, or as \`until\` wants it. A webhook needs no waiting. Raises GatewayTimeoutError with ` +
        `the ${noun} as it was last.`,
      '        ',
    ),
    '        waiting = Waiting(options)',
    '        while True:',
    `            record = await self.get(${id}, options=options)`,
    `            ended = record.status in (${ends.map((each) => `"${each}"`).join(', ')}) if until is None else until(record)`,
    '            if ended:',
    '                return record',
    '            await sleep(waiting.next_interval(record.id, record.status, record))',
  ];
  if (payload.length === 0) return lines;
  const parameters = [...payload.filter((each) => each.isRequired), ...payload.filter((each) => !each.isRequired)].map(
    ({ name, type, isRequired }) => `${pythonName(name)}: ${type}${isRequired ? '' : ' | Unset = UNSET'}`,
  );
  const given = payload.map(({ name }) => `${pythonName(name)}=${pythonName(name)}`).join(', ');
  return [
    ...lines,
    '',
    ...signatureLines(
      'async def create_and_wait',
      ['*', ...parameters, 'options: CreateAndWaitOptions | None = None'],
      'm.Payout',
    ),
    ...documented(
      'Sends money and waits for the end of it, also where the gateway does not know the outcome in time: the payout is ' +
        'created once, and read from then on. Raises GatewayTimeoutError with the payout as it was last: it is still ' +
        'under way.',
      '        ',
    ),
    '        try:',
    `            payout_id = (await self.create(${given}, options=options)).id`,
    '        except UnknownOutcome as error:',
    '            if error.payout_id is None:',
    '                raise',
    '            payout_id = error.payout_id',
    '        return await self.wait_for(payout_id, options=options)',
  ];
}
