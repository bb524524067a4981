import { join } from 'node:path';
import { publish } from './publishing.ts';

const build = join(import.meta.dirname, 'build');
publish({ from: join(build, 'next/client'), to: join(build, 'client') });
