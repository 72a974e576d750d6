import { answerParent } from './child.ts';
import { runLoad } from './load.ts';

answerParent(runLoad);
