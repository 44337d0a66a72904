internal import JSON

/// What requests show of their user, in the mode that is running.
enum OpenAPISecurity {
    case development, gateway, bearer

    init(_ authentication: Authentication) {
        self =
            switch authentication {
            case .development: .development
            case .gateway: .gateway
            case .jwt: .bearer
            }
    }

    private static let user: JSON = [
        "type": "apiKey", "in": "header", "name": "X-User-ID", "description": "The user for whom the request is made",
    ]
    private static let token: JSON = ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]

    private static let key: JSON = [
        "type": "http", "scheme": "bearer", "bearerFormat": "dk_live_…",
        "description": "An API key for servers; for operations of users it takes the scope `users:act`",
    ]

    var schemes: JSON {
        switch self {
        case .development: ["user": Self.user]
        case .gateway:
            [
                "gateway": [
                    "type": "apiKey", "in": "header", "name": "X-Gateway-Secret",
                    "description": "The secret that the gateway and this service share",
                ], "user": Self.user, "bearer": Self.token, "apiKey": Self.key,
            ]
        case .bearer: ["bearer": Self.token, "apiKey": Self.key, "user": Self.user]
        }
    }

    /// The alternatives of an operation for users; an empty one means that nothing has to be shown.
    var requirements: JSON {
        switch self {
        case .development: [["user": []], [:]]
        case .gateway: [["gateway": [], "user": []], ["bearer": []], ["apiKey": [], "user": []]]
        case .bearer: [["bearer": []], ["apiKey": [], "user": []]]
        }
    }

    /// The alternatives of an operation that takes a user or something of its own instead.
    var optional: JSON {
        let all = requirements.array ?? []
        return .array(all.contains([:]) ? all : all + [[:]])
    }

    /// The alternatives of the operation that reads metrics.
    var metrics: JSON {
        switch self {
        case .development: []
        case .gateway: [["gateway": []], ["bearer": []], ["apiKey": []]]
        case .bearer: [["bearer": []], ["apiKey": []]]
        }
    }

    /// The alternatives of an operation for operators.
    var operators: JSON {
        switch self {
        case .development: [["user": []], [:]]
        case .gateway: [["gateway": [], "user": []], ["bearer": []], ["apiKey": []]]
        case .bearer: [["bearer": []], ["apiKey": []]]
        }
    }
}

/// The headers of answers.
struct OpenAPIHeaders {
    /// Whether the operation needs no user; then requests are not counted.
    let isOpen: Bool

    private static let always = [
        "X-Request-ID", "X-API-Version", "Cache-Control", "X-Content-Type-Options", "Vary", "Content-Encoding",
    ]
    private static let counted = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]

    private static let descriptions: [String: (type: String, text: String)] = [
        "X-Request-ID": ("string", "The request's id, as in the logs"),
        "X-API-Version": ("string", "The version of the API"),
        "Cache-Control": ("string", "Whether the answer may be kept"),
        "X-Content-Type-Options": ("string", "Always nosniff"),
        "X-RateLimit-Limit": ("integer", "Requests that the user may send in a minute"),
        "X-RateLimit-Remaining": ("integer", "Requests that are left in this minute"),
        "X-RateLimit-Reset": ("integer", "The end of this minute, in seconds since 1970"),
        "ETag": ("string", "The state of what was read, for If-None-Match"),
        "Location": ("string", "The address of what was made"),
        "Retry-After": ("integer", "Seconds until another request makes sense"),
        "Vary": ("string", "The headers of the request on which the answer depends"),
        "Content-Encoding": ("string", "gzip, where the request accepts it and the answer is large"),
        "X-Accel-Buffering": ("string", "no: proxies pass events on at once"),
        "WWW-Authenticate": ("string", "How to sign in, with 401"),
        "Content-Security-Policy": ("string", "What the page may load: its own style alone"),
        "Content-Disposition": ("string", "That the answer is a file, and its name"),
        "Idempotent-Replayed": ("string", "true when the same request was sent before under the same key"),
    ]

    /// The headers that an operation sends: those of all, and its own, whose names are given.
    func json(_ sends: JSON?) -> JSON {
        let names = Self.always + (isOpen ? [] : Self.counted) + (sends?.array ?? []).compactMap(\.string)
        return .object(
            JSONObject(
                names.map { name in
                    let (type, text) = Self.descriptions[name] ?? ("string", name)
                    return (name, ["description": JSON(text), "schema": ["type": JSON(type)]])
                }))
    }
}
