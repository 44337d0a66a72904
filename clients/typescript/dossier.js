// The client of Dossier for browsers and Node 18. `dossier.d.ts` describes everything that is exported here.

export { Dossier } from "./source/dossier.js"
export { resource, listing } from "./source/resources.js"
export { submission } from "./source/submissions.js"
export { DossierError } from "./source/errors.js"
export { presentError } from "./source/presentation.js"
export { RetryPolicy, RetryBudget, withRetry } from "./source/retry.js"
export { FreshnessPolicy } from "./source/freshness.js"
export { RequestDeduplicator } from "./source/deduplicator.js"
export { ConnectivityMonitor } from "./source/connectivity.js"
export { anonymousAuthentication, developmentAuthentication, tokenStorage } from "./source/authentication.js"
export { TokenSession } from "./source/session.js"
export { memoryStorage, webStorage } from "./source/storage.js"
