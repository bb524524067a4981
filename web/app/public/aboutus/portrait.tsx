/** Hair and collar of each drawn head. */
const heads: Record<string, [hair: string, collar: string]> = {
  crop: ['M150 150c0-46 24-70 50-70s50 24 50 70c-8-26-22-38-50-38s-42 12-50 38Z', 'M172 262l28 34 28-34'],
  bob: [
    'M146 204c-10-78 10-124 54-124s64 46 54 124c-6-10-8-26-8-46-30-4-52-16-62-34-6 22-18 34-30 38 0 18-2 32-8 42Z',
    'M176 258c6 18 42 18 48 0',
  ],
  fringe: [
    'M152 148c-4-38 14-66 48-66 36 0 54 26 48 66-6-14-10-22-12-30-22 6-50 6-70-2-4 10-8 18-14 32Z',
    'M170 264l30 20 30-20M200 284v56',
  ],
};

/** Stands where a photograph will: a line drawing in a dashed frame, nobody's likeness. */
export function Portrait({ hair }: { hair: string }) {
  const [hairLine, collarLine] = heads[hair] ?? ['', ''];
  return (
    <svg
      viewBox="0 0 400 340"
      className="block w-full rounded-card"
      role="img"
      aria-label="Drawn placeholder, not a photograph"
    >
      <rect width="400" height="340" fill="var(--accent-tint)" />
      <g fill="none" stroke="var(--accent-text)" strokeWidth="3" strokeLinejoin="round" strokeLinecap="round">
        <path d="M96 342c4-52 34-76 78-84v-22M304 342c-4-52-34-76-78-84v-22" />
        <path d="M152 152c0 56 20 92 48 92s48-36 48-92" />
        <path d={hairLine} fill="var(--accent-tint-2)" />
        <path d={collarLine} />
      </g>
      <rect
        x="10.5"
        y="10.5"
        width="379"
        height="319"
        rx="10"
        fill="none"
        stroke="var(--accent-text)"
        strokeOpacity=".55"
        strokeDasharray="4 6"
      />
    </svg>
  );
}
