import packageJson from '../../package.json' with { type: 'json' };

const words = packageJson.scripts.start.split(' ');

/** What `npm start` tells Node, so that what is measured is what runs. */
export const startFlags = words.filter((word) => word.startsWith('--'));

/** What it puts into the environment. */
export const startEnv = Object.fromEntries(
  words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=', 2)),
) as NodeJS.ProcessEnv;
