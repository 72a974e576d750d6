import { documented, pythonName, signatureLines } from './text.ts';

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

interface Waited {
  readonly record: string;
  readonly ends: readonly string[];
  /** What a caller has to know of the wait. */
  readonly remark: string;
}

const waited: Readonly<Record<string, Waited>> = {
  deposits: {
    record: 'Deposit',
    ends: ['PAID', 'EXPIRED', 'REFUNDED', 'FAILED'],
    remark: 'A webhook needs no waiting.',
  },
  payouts: {
    record: 'Payout',
    // PENDING is no end, but it waits for a person.
    ends: ['PAID', 'FAILED', 'REJECTED', 'PENDING'],
    remark: 'PENDING is one that waits for a person to approve it, for hours perhaps.',
  },
};

/** The methods that read a record until its end. @param payload what a payout is created with */
export function waitingMethods(resource: string, payload: readonly Parameter[]): string[] {
  const found = waited[resource];
  if (found === undefined) return [];
  const { record, ends, remark } = found;
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
      `Reads it until it is ${shown}, or as \`until\` wants it. ${remark} Raises GatewayTimeoutError after the \`wait\` of the ` +
        `options (120 s) with the ${noun} as it was last.`,
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
      [
        '*',
        ...parameters,
        'until: Callable[[m.Payout], bool] | None = None',
        'options: CreateAndWaitOptions | None = None',
      ],
      'm.Payout',
    ),
    ...documented(
      'Sends money and waits for the end of it as \`wait_for\` does, also where the gateway does not know the outcome in ' +
        'time: the payout is created once, and read from then on. It answers with PENDING where a person has to approve ' +
        'the payout. Raises GatewayTimeoutError after the \`wait\` of the options (120 s) with the payout as it was last: ' +
        'it is still under way.',
      '        ',
    ),
    '        try:',
    `            payout_id = (await self.create(${given}, options=options)).id`,
    '        except UnknownOutcome as error:',
    '            if error.payout_id is None:',
    '                raise',
    '            payout_id = error.payout_id',
    '        return await self.wait_for(payout_id, until=until, options=options)',
  ];
}
