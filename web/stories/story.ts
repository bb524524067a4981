import { type ComponentType, createContext } from 'react';

export type Scheme = 'light' | 'dark';

/** What pieces look like in their states, each under the name of its file. */
export type Stories = Record<string, ComponentType>;

/** Where a story stands, for what opens over the whole page. */
export const SchemeContext = createContext<Scheme>('light');
