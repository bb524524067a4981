/**
 * Connections that were refused, reset or cut, a server that shuts down, crashes or recovers: the SQLSTATEs of classes 08
 * and 57P, and what the network says.
 */
const lostCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0.)$/;
const lostMessages =
  /Connection terminated|[Cc]onnection error|not queryable|timeout exceeded when trying to connect|timeout expired|not currently accepting connections|after calling end on the pool/;
/** A server that is full, broken or may only read. */
const unfitCodes = /^(53...|58...|25006)$/;
/** Whatever the reason, the database ended the connection with these. */
const lastWords = ['FATAL', 'PANIC'];

/** A row that another holds too long, or a statement that took too long. */
const slowCodes = /^(55P03|57014)$/;

export type DatabaseError = Error & { code?: string; severity?: string };

export function isDatabaseSlow(error: DatabaseError): boolean {
  return slowCodes.test(error.code ?? '') || error.message.includes('Query read timeout');
}

/** Whether an error says that there is no way to the database just now; the next moment there may be. */
export const isConnectionLost = (error: DatabaseError) =>
  lostCodes.test(error.code ?? '') || lostMessages.test(error.message);

/** The database has said that it is done and not that it will stay so: neither done nor undone. */
export const outcomeUnknownCode = '08007';
export const isOutcomeUnknown = ({ code }: DatabaseError) => code === outcomeUnknownCode;

/** Whether an error says that the database cannot be used just now, and not that something is wrong with us. */
export function isDatabaseAway(error: DatabaseError): boolean {
  return (
    isDatabaseSlow(error) ||
    isConnectionLost(error) ||
    unfitCodes.test(error.code ?? '') ||
    lastWords.includes(error.severity ?? '')
  );
}
