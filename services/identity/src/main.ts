import { run } from '@gateway/runtime';
import { startService } from '#src/service.ts';

await run('identity', startService);
