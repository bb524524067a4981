import { type ComponentType, createContext } from 'react';

export type Scheme = 'light' | 'dark';

/** What a piece looks like in its states. The name is that of its file. */
export interface Story {
  name: string;
  Show: ComponentType;
}

/** Where a story stands, for what opens over the whole page. */
export const SchemeContext = createContext<Scheme>('light');
