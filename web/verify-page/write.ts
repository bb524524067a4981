import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeVerifyPage } from './make.ts';

/** Into the build that is being made, or with `--release` into the folder that people download it from. */
const places = { build: '../build/next/client/verify.html', release: '../../releases/verify.html' };
const place = process.argv.includes('--release') ? places.release : places.build;

const path = join(import.meta.dirname, place);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, await makeVerifyPage());
