/**
 * `node --watch` has its child report every import, thousands of messages with each start, though the folders to watch are
 * named; threads would report theirs to whoever waits for their answers. Imported before anything else.
 */
delete process.env.WATCH_REPORT_DEPENDENCIES;
