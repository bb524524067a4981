declare module 'virtual:sample-record' {
  const record: import('../sample-record/record.ts').ShownRecord;
  export default record;
}
