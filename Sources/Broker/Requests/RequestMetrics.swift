internal import HTTP
internal import HTTPServer
internal import Observability
internal import Synchronization

/// Counts requests by route and status and measures response times, without a lock per request.
final class RequestMetrics: Sendable {
    /// The counters of one route.
    final class RouteMetrics: Sendable {
        /// The statuses of responses; any other status counts as the last entry, 0.
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

        /// The statuses that occurred; 0 for all that are not listed.
        var counts: [(status: Int, count: Int)] {
            zip(Self.statuses, counters).compactMap { $1.total > 0 ? ($0, $1.total) : nil }
        }
    }

    private let routes = Mutex<[Route: RouteMetrics]>([:])
    /// Requests that match no route.
    let others = RouteMetrics()

    /// Counts the responses of a route. A stream and a response that waits are counted when they begin.
    func observer(of route: Route) -> Router.ResponseObserver {
        let metrics = routes.withLock { routes in
            let metrics = routes[route] ?? RouteMetrics()
            routes[route] = metrics
            return metrics
        }
        return { response, duration in metrics.count(response.status, duration) }
    }

    /// The counters of all routes, ordered by path and method.
    var all: [(route: Route, metrics: RouteMetrics)] {
        routes.withLock { routes in routes.map { ($0.key, $0.value) } }.sorted {
            ($0.route.pattern, $0.route.method.rawValue) < ($1.route.pattern, $1.route.method.rawValue)
        }
    }
}
