import { NotFoundError } from '@gateway/contracts/errors';
import { appliedAdjustmentSchema, presentAppliedAdjustment } from '@gateway/public-api';
import { AdjustmentEntity, presentAdjustment } from '#src/adjustments/adjustment-entity.ts';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

export const adjustmentEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/adjustments/:id',
    summary: 'Read a correction of the balance that was carried out',
    answers: { 200: appliedAdjustmentSchema },
    handle: async (call, { database }) => {
      const applied = { ...ownerOf(call), id: idIn(call, 'adjustment'), status: 'APPLIED' as const };
      const adjustment = await database.reader().findOne(AdjustmentEntity, applied);
      if (!adjustment) throw new NotFoundError('adjustment');
      return { status: 200, body: presentAppliedAdjustment(presentAdjustment(adjustment), call.apiVersion) };
    },
  }),
];
