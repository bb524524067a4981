/** Runs at the end of the page of proof: what it shows of the server. */
import { copyOnPress } from '../../native/copy.ts';
import { drawBooks } from './live-books.ts';
import { drawAddresses, drawPlans } from './live-entries.ts';
import { drawLog } from './live-log.ts';
import { showPart } from './show-part.ts';

copyOnPress();
void showPart('statements', drawBooks);
void showPart('log', drawLog);
void showPart('plan-changes', drawPlans);
void showPart('addresses', drawAddresses);
