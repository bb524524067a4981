import { startServer } from '../../server/start.ts';

/**
 * The server of `npm start`, but for one guard against overload: on two cores beside a browser that draws it may stand still for
 * seconds, and would then refuse whoever comes, which is not what a journey is about.
 */
startServer((config) => ({ ...config, eventLoopDelayMsMax: 0 }));
