import Basics
import Broker
import HTTP
import LanguageModels
import JobQueue
import Worker

/// All settings, read once from the environment. `docs/configuration.md` describes each variable.
struct Settings: Sendable {
    var database: DatabaseURL
    /// The users of the database, where the service has several.
    var userSlots: UserSlots
    /// The databases that a worker process serves.
    var workerDatabases: [DatabaseURL]
    /// `HOST:PORT`.
    var listen: String
    /// The operators' listener, `HOST:PORT`; `nil` for none.
    var adminListen: String?
    /// The address by which clients reach the service, for its description.
    var publicURL: String?
    /// The proxies that name the address of a client.
    var trustedProxies: [CIDRBlock]
    /// Open connections of one client address; `nil` for no limit.
    var connectionsPerAddress: Int?
    /// The memory of all request bodies that are not complete.
    var unfinishedBodyBytes: Int
    /// Whether browsers get the console.
    var hasConsole: Bool
    /// Origins of web pages that may call the API.
    var corsOrigins: [String]
    /// The time after which an event stream ends.
    var streamLifetime: Duration
    /// The folder of `prompts/`, `personas/`, `jobs/` and `models.yaml`: the working folder if it has them, else the one
    /// that was installed with the program.
    var home: String
    var authentication: Authentication
    /// The file of plans; `nil` for `plans.yaml` in `home`, which may be missing.
    var plans: String?
    /// The credits of a new user, instead of those of the plans.
    var startingCredits: Int?
    /// Requests per minute and user, instead of those of the plans; 0 lifts the plans' limits of numbers and bytes.
    var rateLimit: Int?
    var anthropic: Provider
    var gemini: Provider
    var openAI: Provider
    var secBaseURL: String?
    var secUserAgent: String?
    var fmpKey: Secret?
    var fmpBaseURL: String?
    /// A folder of files of prices.
    var prices: String?
    var newsKey: Secret?
    var newsBaseURL: String?
    /// A server that answers in place of those of the feeds.
    var feedsBaseURL: String?
    var youTubeBaseURL: String?
    /// Private hosts and CIDR blocks that may be fetched.
    var fetchAllow: [String]
    /// The times for which jobs and model calls are kept.
    var retention = Retention()
    /// Pauses and limits of the deliveries of webhooks.
    var webhooks = WebhookConfiguration()
    /// The collector of traces, metrics and logs.
    var telemetry: TelemetrySettings

    /// Whether a provider of models is the simulator, which takes this key alone.
    var isSimulated: Bool {
        [anthropic, gemini, openAI].contains { $0.baseURL != nil && $0.key?.reveal() == "simulated" }
    }

    var plansPath: String { plans ?? home + "/plans.yaml" }

    struct Provider: Sendable {
        var key: Secret?
        var baseURL: String?
    }

    /// The known variables that begin with `DOSSIER_`. Any other is an error, since it is a typing error as a rule.
    static let ownVariables: Set<String> = [
        "DOSSIER_DATABASE_URL", "DOSSIER_LISTEN", "DOSSIER_HOME", "DOSSIER_AUTH", "DOSSIER_GATEWAY_SECRET",
        "DOSSIER_STARTING_CREDITS", "DOSSIER_RATE_LIMIT", "DOSSIER_JWT_SECRET", "DOSSIER_FETCH_ALLOW",
        "DOSSIER_ADMIN_LISTEN", "DOSSIER_CONSOLE", "DOSSIER_TRUSTED_PROXIES", "DOSSIER_CONNECTIONS_PER_ADDRESS",
        "DOSSIER_UNFINISHED_BODY_MEBIBYTES", "DOSSIER_STREAM_LIFETIME", "DOSSIER_PLANS", "DOSSIER_KEEP_JOBS",
        "DOSSIER_KEEP_JOURNALS", "DOSSIER_KEEP_MODEL_CALLS", "DOSSIER_PRICES", "DOSSIER_CORS_ORIGINS",
        "DOSSIER_OIDC_ISSUER", "DOSSIER_OIDC_JWKS_URL", "DOSSIER_OIDC_AUDIENCE", "DOSSIER_TIER_CLAIM",
        "DOSSIER_WEBHOOK_SCHEDULE", "DOSSIER_WEBHOOK_TIMEOUT", "DOSSIER_WEBHOOK_DISABLE_AFTER",
        "DOSSIER_KEEP_DELIVERIES", "DOSSIER_KEEP_CONVERSATIONS", "DOSSIER_KEEP_AUDIT",
        "DOSSIER_ROLE_CLAIM", "DOSSIER_JWT_SECRET_PREVIOUS",
        "DOSSIER_GATEWAY_SECRET_PREVIOUS", "DOSSIER_PUBLIC_URL", "DOSSIER_USER_SLOTS", "DOSSIER_WORKER_DATABASES",
    ]

    /// Reads variables and flags. A flag overrides its variable; an empty variable counts as unset.
    ///
    /// - Throws: `usage` with the name of the invalid variable or flag.
    init(environment: [String: String], flags: [String: String] = [:]) throws(CommandFailure) {
        for name in environment.keys.sorted() where name.hasPrefix("DOSSIER_") && !Self.ownVariables.contains(name) {
            throw .usage("unknown variable \(name); see docs/configuration.md")
        }
        let reader = SettingReader(environment: environment, flags: flags)
        database = try reader.read("DOSSIER_DATABASE_URL", "--database", default: .standard) {
            text throws(ConfigurationError) in
            try DatabaseURL(text)
        }
        userSlots = try reader.read("DOSSIER_USER_SLOTS", default: .all) { text throws(ConfigurationError) in
            guard let slots = UserSlots(text) else {
                throw ConfigurationError("must be slots from 0 to \(UserSlots.count - 1), each once, as in 0-255,512")
            }
            return slots
        }
        // A flag names the one database of this start.
        workerDatabases =
            flags["--database"] == nil
            ? try reader.read("DOSSIER_WORKER_DATABASES", default: [database]) { text throws(ConfigurationError) in
                try DatabaseURL.list(text)
            } : [database]
        listen = try reader.read("DOSSIER_LISTEN", "--listen", default: "127.0.0.1:5001") {
            text throws(ConfigurationError) in
            try ListenAddress.checked(text)
        }
        adminListen = try reader.read("DOSSIER_ADMIN_LISTEN", default: nil) { text throws(ConfigurationError) in
            try ListenAddress.checked(text)
        }
        if let adminListen, adminListen == listen, !listen.hasSuffix(":0") {
            throw CommandFailure.usage("DOSSIER_ADMIN_LISTEN must be another address than DOSSIER_LISTEN")
        }
        publicURL = try reader.url("DOSSIER_PUBLIC_URL")
        trustedProxies = try reader.read("DOSSIER_TRUSTED_PROXIES", default: []) { text throws(ConfigurationError) in
            try ListenAddress.blocks(text)
        }
        hasConsole = try reader.read("DOSSIER_CONSOLE", default: true) { text throws(ConfigurationError) in
            guard ["on", "off"].contains(text) else { throw ConfigurationError("must be on or off") }
            return text == "on"
        }
        corsOrigins = try reader.read("DOSSIER_CORS_ORIGINS", default: []) { text throws(ConfigurationError) in
            try WebOrigin.checked(text)
        }
        let connections = try reader.integer("DOSSIER_CONNECTIONS_PER_ADDRESS", in: 0...1_000_000) ?? 500
        connectionsPerAddress = connections == 0 ? nil : connections
        unfinishedBodyBytes = (try reader.integer("DOSSIER_UNFINISHED_BODY_MEBIBYTES", in: 1...65_536) ?? 64) << 20
        streamLifetime = try reader.duration(
            "DOSSIER_STREAM_LIFETIME", in: .seconds(1)...(.seconds(86_400)), default: .seconds(900))
        home = reader.text("DOSSIER_HOME") ?? ContentFolder.standard
        plans = reader.text("DOSSIER_PLANS")
        startingCredits = try reader.integer("DOSSIER_STARTING_CREDITS", in: 0...1_000_000)
        rateLimit = try reader.integer("DOSSIER_RATE_LIMIT", in: 0...1_000_000)
        authentication = try Self.authentication(reader)
        retention = try Self.retention(reader)
        anthropic = Provider(key: reader.secret("ANTHROPIC_API_KEY"), baseURL: try reader.url("ANTHROPIC_BASE_URL"))
        gemini = Provider(key: reader.secret("GEMINI_API_KEY"), baseURL: try reader.url("GEMINI_BASE_URL"))
        openAI = Provider(key: reader.secret("OPENAI_API_KEY"), baseURL: try reader.url("OPENAI_BASE_URL"))
        secBaseURL = try reader.url("SEC_BASE_URL")
        secUserAgent = reader.text("SEC_USER_AGENT")
        fmpKey = reader.secret("FMP_API_KEY")
        fmpBaseURL = try reader.url("FMP_BASE_URL")
        prices = reader.text("DOSSIER_PRICES")
        newsKey = reader.secret("NEWS_API_KEY")
        newsBaseURL = try reader.url("NEWS_API_BASE_URL")
        feedsBaseURL = try reader.url("NEWS_FEEDS_BASE_URL")
        youTubeBaseURL = try reader.url("YOUTUBE_BASE_URL")
        telemetry = try TelemetrySettings(reader)
        fetchAllow = try reader.read("DOSSIER_FETCH_ALLOW", default: []) { text throws(ConfigurationError) in
            try FetchAllowance.checked(text)
        }
        webhooks = try Self.webhooks(reader)
        webhooks.allowing = fetchAllow
    }

    private static func webhooks(_ reader: SettingReader) throws(CommandFailure) -> WebhookConfiguration {
        var webhooks = WebhookConfiguration()
        webhooks.schedule = try reader.durations(
            "DOSSIER_WEBHOOK_SCHEDULE", in: .zero...(.seconds(30 * 86_400)), default: webhooks.schedule)
        webhooks.timeout = try reader.duration(
            "DOSSIER_WEBHOOK_TIMEOUT", in: .milliseconds(100)...(.seconds(300)), default: webhooks.timeout)
        webhooks.disableAfter = try reader.duration(
            "DOSSIER_WEBHOOK_DISABLE_AFTER", in: .zero...(.seconds(365 * 86_400)), default: webhooks.disableAfter)
        return webhooks
    }

    private static func retention(_ reader: SettingReader) throws(CommandFailure) -> Retention {
        let day: Duration = .seconds(86_400)
        let longest = day * 36_500
        var retention = Retention()
        // Idempotency keys are promised for a day, and the spend of a day is a sum of its calls.
        retention.jobs = try reader.duration("DOSSIER_KEEP_JOBS", in: day...longest, default: retention.jobs)
        retention.journals = try reader.duration(
            "DOSSIER_KEEP_JOURNALS", in: .zero...longest, default: retention.journals)
        retention.modelCalls = try reader.duration(
            "DOSSIER_KEEP_MODEL_CALLS", in: (day * 2)...longest, default: retention.modelCalls)
        retention.deliveries = try reader.duration(
            "DOSSIER_KEEP_DELIVERIES", in: day...longest, default: retention.deliveries)
        retention.conversations = try reader.duration(
            "DOSSIER_KEEP_CONVERSATIONS", in: day...longest, default: retention.conversations)
        retention.audit = try reader.duration("DOSSIER_KEEP_AUDIT", in: day...longest, default: retention.audit)
        return retention
    }
}
