import type { Answer } from './answers.ts';
import type { Send } from './fuzz.ts';

/** What a broken server might answer instead: each must be seen. */
const spoilt: ((answer: Answer) => Answer)[] = [
  (answer) => ({ ...answer, status: 500, text: '{"code":"internal","message":"It broke."}' }),
  (answer) => ({ ...answer, text: `${answer.text}\n    at handler (server/app.ts:12:5)` }),
  (answer) => ({ ...answer, status: 400, text: '{"error":"Bad Request"}' }),
  (answer) => ({ ...answer, status: 418, text: '{"code":"internal","message":"A teapot."}' }),
  (answer) => ({ ...answer, status: 200, text: '{"unheard":"of"}' }),
];
/** No divisor of a round, so that another operation is hit each time. */
const every = 17;

/** The negative control: now and then an answer is spoilt on its way back. */
export function spoiling(send: Send): Send {
  let count = 0;
  return async (request) => {
    const answer = await send(request);
    const isTurn = request.url.startsWith('/api/') && ++count % every === 0;
    const spoil = isTurn && spoilt[(count / every) % spoilt.length];
    return spoil ? spoil(answer) : answer;
  };
}
