import packageJson from '../../package.json' with { type: 'json' };

/** What `npm start` tells Node, so that what is measured is what runs. */
export const startFlags = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'));
