import { type LoadJob, runLoad } from './load.ts';

/** The load generator's own process: one job at a time, sent and answered over the channel to its parent. */
process.on('message', (job: LoadJob) => {
  void runLoad(job).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));
