declare module 'virtual:posts/cards' {
  const cards: import('../posts/posts.ts').PostCard[];
  export default cards;
}

declare module 'virtual:posts/bodies' {
  const bodies: Record<string, import('../posts/markdown.ts').Block[]>;
  export default bodies;
}
declare module '*?script' {
  const text: string;
  export default text;
}
declare module 'virtual:sample-record' {
  const record: import('../sample-record/record.ts').ShownRecord;
  export default record;
}
