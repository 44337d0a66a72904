import type { KeyValueStorage } from "./dossier.js"

/**
 * Stores each value in a file of its own that only its owner may read (0600), replaced atomically and durable once the
 * promise is fulfilled. Names of files bear no text of the user. For Node.
 */
export function fileStorage(directory: string): KeyValueStorage
