package import HTTP

/// A method and the paths it answers for.
///
/// A pattern is a path whose segments are literal (`jobs`), a parameter (`{id}`), or a parameter between literals
/// (`CIK{cik}.json`, `{model}:generateContent`). A parameter stands for one segment, or the rest of one, and is never
/// empty. A trailing slash is part of the path: `/jobs` and `/jobs/` are different.
package struct Route: Sendable, Hashable {
    package let method: HTTPMethod
    package let pattern: String

    package init(_ method: HTTPMethod, _ pattern: String) {
        self.method = method
        self.pattern = pattern
    }
}

/// A route with what answers it, its middleware included.
struct RouteEntry: Sendable {
    let route: Route
    let handler: RequestHandler
}
