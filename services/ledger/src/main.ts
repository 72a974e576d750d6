import { run } from '@gateway/service-kit';
import { startService } from '#src/service.ts';

await run('ledger', startService);
