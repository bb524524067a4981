const lookMs = 500;

/**
 * Not every npm hands a signal on to what it runs, and one that is killed cannot: whoever ended npm meant its script.
 * Without npm it is nobody's business who the parent is.
 */
export function whenNpmIsGone(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(looking);
    end();
  }, lookMs);
  looking.unref();
}
