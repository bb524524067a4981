/** Deadlock and serialisation failure: the database has undone everything, so it can be done again. */
const undoneCodes = ['40P01', '40001'];

export async function againIfUndone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!undoneCodes.includes((error as { code?: string }).code ?? '')) throw error;
    return work();
  }
}
