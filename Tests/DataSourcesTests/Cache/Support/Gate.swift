/// A gate that fetches wait at until it opens.
actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private(set) var arrivals = 0
    private var arrivalWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func pass() async {
        arrivals += 1
        for waiter in arrivalWaiters where waiter.count <= arrivals { waiter.continuation.resume() }
        arrivalWaiters.removeAll { $0.count <= arrivals }
        if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    func waitForArrivals(_ count: Int) async {
        if arrivals < count { await withCheckedContinuation { arrivalWaiters.append((count, $0)) } }
    }
}
