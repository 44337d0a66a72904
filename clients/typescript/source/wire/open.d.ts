/** A text from a list that the server may extend later: compare with the known ones and handle all others. */
export type Open<Known extends string> = Known | (string & Record<never, never>)
