import JobQueue

/// All that Dossier keeps, whichever database holds it.
typealias Store = JobStore & FleetStore & BudgetStore & StoreAdministration & StoreHealth & StoreTallies & Repositories
