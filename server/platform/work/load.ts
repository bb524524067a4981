/** How many requests this process works on at this moment: what can wait gives way to them. */
export const load = { requests: 0 };
