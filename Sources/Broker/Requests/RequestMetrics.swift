internal import HTTP
internal import HTTPServer
internal import Observability
internal import Synchronization

/// Counts requests by route and status, and how long answers took. A request takes no lock for that.
final class RequestMetrics: Sendable {
    /// What is counted of one route.
    final class Numbers: Sendable {
        /// The statuses that answers have; any other is counted as the last of all.
        static let statuses = [
            200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 502, 503, 504, 0,
        ]
        private static let places: [UInt8] = {
            var places = [UInt8](repeating: UInt8(statuses.count - 1), count: 600)
            for (place, status) in statuses.enumerated() { places[status] = UInt8(place) }
            return places
        }()

        let durations = Histogram()
        private let counters = statuses.map { _ in Counter() }

        func count(_ status: Int, _ duration: Duration) {
            let place = Self.places.indices.contains(status) ? Int(Self.places[status]) : Self.statuses.count - 1
            counters[place].add()
            durations.record(duration)
        }

        /// The statuses that occurred; 0 stands for those that are not listed.
        var counts: [(status: Int, count: Int)] {
            zip(Self.statuses, counters).compactMap { $1.total > 0 ? ($0, $1.total) : nil }
        }
    }

    private let routes = Mutex<[Route: Numbers]>([:])
    /// Requests that no route answers.
    let others = Numbers()

    /// Counts the responses of a route. A stream and a response that waits are counted when they begin.
    func observer(of route: Route) -> Router.ResponseObserver {
        let numbers = routes.withLock { routes in
            let numbers = routes[route] ?? Numbers()
            routes[route] = numbers
            return numbers
        }
        return { response, duration in numbers.count(response.status, duration) }
    }

    /// What was counted so far, in the order of paths and methods.
    var all: [(route: Route, numbers: Numbers)] {
        routes.withLock { routes in routes.map { ($0.key, $0.value) } }.sorted {
            ($0.route.pattern, $0.route.method.rawValue) < ($1.route.pattern, $1.route.method.rawValue)
        }
    }
}
