/** What a process costs that does nothing. */
export const handler = async () => ({ statusCode: 200 });
