import HTTP

/// Finds the route for a path.
///
/// The table is a tree with a level for each segment. At each level a literal goes before a parameter, and a parameter
/// with more literal text around it before one with less, and one for all that is left goes last. A branch without a route for the path gives way to the
/// next; one with routes for other methods only does not, so that a path belongs to one pattern.
struct RouteTable: Sendable {
    enum Match {
        case found(RouteEntry, parameters: [String: String])
        case otherMethods([HTTPMethod])
        case none
    }

    private struct Endpoint {
        let names: [String]
        let entry: RouteEntry

        var method: HTTPMethod { entry.route.method }
    }

    private struct Node {
        var literals: [Substring: Int] = [:]
        /// The most specific first.
        var parameters: [(prefix: [UInt8], suffix: [UInt8], node: Int)] = []
        var endpoints: [Endpoint] = []
        /// The node of a parameter that takes all segments that are left.
        var rest: Int?
    }

    private var nodes = [Node()]

    /// Two entries for one method and one set of paths are a programming error and stop the process.
    init(_ entries: [RouteEntry]) {
        for entry in entries {
            guard let pattern = RoutePattern(entry.route.pattern) else { continue }
            let node =
                entry.route.takesRest
                ? rest(of: pattern.segments.dropLast().reduce(0) { child(of: $0, for: $1) })
                : pattern.segments.reduce(0) { child(of: $0, for: $1) }
            precondition(
                !nodes[node].endpoints.contains { $0.method == entry.route.method },
                "\(entry.route.method.rawValue) \(entry.route.pattern) is declared twice")
            nodes[node].endpoints.append(Endpoint(names: pattern.names, entry: entry))
        }
    }

    /// The route for a path, given as its decoded segments.
    func match(_ method: HTTPMethod, _ segments: [Substring]) -> Match {
        var search = Search(method: method, segments: segments)
        if let (endpoint, captures) = find(0, 0, &search) {
            guard !captures.isEmpty else { return .found(endpoint.entry, parameters: [:]) }
            let pairs = zip(endpoint.names, captures.map { String($0) })
            return .found(endpoint.entry, parameters: Dictionary(pairs) { first, _ in first })
        }
        return search.allowed.isEmpty ? .none : .otherMethods(search.allowed)
    }

    private struct Search {
        let method: HTTPMethod
        let segments: [Substring]
        var captures: [Substring] = []
        /// The methods of the pattern that the path belongs to, when it does not have the request's.
        var allowed: [HTTPMethod] = []
    }

    private func find(_ node: Int, _ depth: Int, _ search: inout Search) -> (Endpoint, [Substring])? {
        let node = nodes[node]
        guard depth < search.segments.count else {
            if let endpoint = endpoint(of: node, for: search.method) { return (endpoint, search.captures) }
            search.allowed = allowed(by: node)
            return nil
        }
        let segment = search.segments[depth]
        if let next = node.literals[segment] {
            if let found = find(next, depth + 1, &search) { return found }
            guard search.allowed.isEmpty else { return nil }
        }
        for (prefix, suffix, next) in node.parameters {
            let bytes = segment.utf8
            guard bytes.count > prefix.count + suffix.count, bytes.starts(with: prefix),
                bytes.suffix(suffix.count).elementsEqual(suffix)
            else { continue }
            search.captures.append(Substring(bytes.dropFirst(prefix.count).dropLast(suffix.count)))
            if let found = find(next, depth + 1, &search) { return found }
            guard search.allowed.isEmpty else { return nil }
            search.captures.removeLast()
        }
        guard let rest = node.rest, search.segments[depth...].contains(where: { !$0.isEmpty }) else { return nil }
        search.captures.append(Substring(search.segments[depth...].joined(separator: "/")))
        if let found = find(rest, search.segments.count, &search) { return found }
        search.captures.removeLast()
        return nil
    }

    /// `HEAD` is answered by `GET` unless it has a route of its own.
    private func endpoint(of node: Node, for method: HTTPMethod) -> Endpoint? {
        node.endpoints.first { $0.method == method }
            ?? (method == .head ? node.endpoints.first { $0.method == .get } : nil)
    }

    private func allowed(by node: Node) -> [HTTPMethod] {
        let methods = node.endpoints.map(\.method)
        return methods.contains(.get) && !methods.contains(.head) ? methods + [.head] : methods
    }

    private mutating func rest(of parent: Int) -> Int {
        if let node = nodes[parent].rest { return node }
        nodes[parent].rest = nodes.count
        nodes.append(Node())
        return nodes.count - 1
    }

    private mutating func child(of parent: Int, for segment: RoutePattern.Segment) -> Int {
        switch segment {
        case .literal(let text):
            if let node = nodes[parent].literals[Substring(text)] { return node }
            nodes[parent].literals[Substring(text)] = nodes.count
        case .parameter(let prefix, let suffix):
            let (prefix, suffix) = (Array(prefix.utf8), Array(suffix.utf8))
            if let known = nodes[parent].parameters.first(where: { $0.prefix == prefix && $0.suffix == suffix }) {
                return known.node
            }
            let length = prefix.count + suffix.count
            let place = nodes[parent].parameters.firstIndex { $0.prefix.count + $0.suffix.count < length }
            nodes[parent].parameters.insert(
                (prefix, suffix, nodes.count), at: place ?? nodes[parent].parameters.endIndex)
        }
        nodes.append(Node())
        return nodes.count - 1
    }
}

/// A parsed pattern.
struct RoutePattern {
    enum Segment: Hashable {
        case literal(String)
        /// The text before and after the parameter; either may be empty.
        case parameter(prefix: String, suffix: String)
    }

    private(set) var segments: [Segment] = []
    /// The parameters in the order of their segments.
    private(set) var names: [String] = []

    /// `nil` unless the pattern starts with `/`, has at most one parameter in a segment, and names each differently.
    init?(_ pattern: String) {
        guard pattern.utf8.first == UInt8(ascii: "/") else { return nil }
        for text in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let open = text.firstIndex(of: "{") else {
                if text.contains("}") { return nil }
                segments.append(.literal(String(text)))
                continue
            }
            guard let close = text.firstIndex(of: "}"), open < close else { return nil }
            let name = String(text[text.index(after: open)..<close])
            let suffix = text[text.index(after: close)...]
            guard !name.isEmpty, !names.contains(name), !suffix.contains("{"), !suffix.contains("}") else { return nil }
            names.append(name)
            segments.append(.parameter(prefix: String(text[..<open]), suffix: String(suffix)))
        }
    }
}
