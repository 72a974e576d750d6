import { ZoneClock } from '@gateway/public-api';
import { csvCell } from '#src/write/csv-cell.ts';
import { signedDecimal, unsignedDecimal, type StatementFormat, type WrittenMovement } from '#src/write/format.ts';

const columns = [
  'booked_at',
  'local_date',
  'entry_id',
  'type',
  'record_id',
  'external_id',
  'e2e_id',
  'currency',
  'gross',
  'fee',
  'net',
  'balance_after',
];

/** Lines end with CR LF. Times in UTC beside the date in the zone of the period; `gross` has no sign, the direction is that of `net`. */
export function csvFormat({ raw }: { readonly raw: boolean }): StatementFormat {
  return {
    mediaType: 'text/csv; charset=utf-8',
    extension: 'csv',
    rowsMax: null,
    begin: () => `${columns.join(',')}\r\n`,
    movements: ({ currency, period }, page) => {
      const clock = new ZoneClock(period.zone);
      const cellsOf = (movement: WrittenMovement) => [
        new Date(movement.bookedAtMs).toISOString(),
        clock.dateOf(movement.bookedAtMs),
        movement.entryId,
        movement.type,
        csvCell(movement.recordId, raw),
        csvCell(movement.externalId, raw),
        csvCell(movement.e2eId, raw),
        currency,
        movement.gross === null ? '' : unsignedDecimal(movement.gross, currency),
        movement.fee === null ? '' : signedDecimal(movement.fee, currency),
        signedDecimal(movement.net, currency),
        movement.balanceAfter === null ? '' : signedDecimal(movement.balanceAfter, currency),
      ];
      return page.map((movement) => `${cellsOf(movement).join(',')}\r\n`).join('');
    },
    end: () => '',
  };
}
