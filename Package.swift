// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target, from the lowest level to the highest. A target imports only from levels below its own;
/// `Tests/ArchitectureTests` holds the sources against this table and the one in `docs/architecture.md`.
let modules: [(name: String, dependsOn: [Target.Dependency])] = [
    // Level 1
    ("Basics", ["CCrypto", "CZlib"]),
    ("JSON", []),
    ("DossierAPI", []),
    ("DossierClient", []),
    // Level 2
    ("YAML", ["CFYAML", "JSON"]),
    ("JSONSchema", ["JSON"]),
    ("HTTP", ["CCurl", "Basics"]),
    ("Articles", ["CXML2", "Basics", "JSON"]),
    ("JobQueue", ["DossierAPI", "Basics", "JSON"]),
    ("Prices", ["Basics"]),
    // Level 3
    ("HTTPServer", ["CMicrohttpd", "Basics", "HTTP"]),
    ("Dotprompt", ["JSON", "YAML"]),
    ("Observability", ["Basics", "HTTP", "JSON"]),
    ("SQLSupport", ["DossierAPI", "JobQueue", "Basics", "JSON"]),
    ("Filings", ["Articles", "Basics"]),
    ("Forecasting", ["CXGBoost", "Prices", "Basics", "JSON"]),
    // Level 4
    ("DataSources", ["Filings", "Articles", "JobQueue", "HTTP", "Prices", "Basics", "JSON"]),
    ("SQLiteStore", ["CSQLite", "DossierAPI", "SQLSupport", "JobQueue", "Basics", "JSON"]),
    ("PostgresStore", ["CPQ", "DossierAPI", "SQLSupport", "JobQueue", "Basics", "JSON"]),
    ("Prompts", ["CPCRE2", "Dotprompt", "JSONSchema", "JobQueue", "Basics", "JSON", "YAML"]),
    ("LanguageModels", ["JobQueue", "HTTP", "JSONSchema", "Basics", "JSON", "YAML"]),
    ("News", ["JobQueue", "Observability", "Basics", "JSON"]),
    ("Learning", ["JobQueue", "Observability", "Basics", "JSON"]),
    // Level 5
    (
        "Agents",
        [
            "DossierAPI", "Prompts", "LanguageModels", "DataSources", "Articles", "News", "Learning", "HTTP",
            "JobQueue", "Forecasting", "Prices", "Filings", "Observability", "Basics", "JSON",
        ]
    ),
    ("Simulator", ["News", "Articles", "HTTPServer", "HTTP", "JobQueue", "Prices", "Basics", "JSON"]),
    // Level 6
    (
        "Broker",
        [
            "CConsole", "CJWT", "DossierAPI", "HTTPServer", "HTTP", "Prompts", "JobQueue", "JSONSchema", "JSON",
            "Observability", "Basics", "News", "Learning", "DataSources", "Articles", "Filings", "Prices", "Dotprompt",
            "YAML",
        ]
    ),
    ("Worker", ["CMalloc", "DossierAPI", "Agents", "Prompts", "JobQueue", "HTTP", "JSON", "Observability", "Basics"]),
    (
        "PromptRegression",
        [
            "Agents", "Simulator", "Prompts", "LanguageModels", "JobQueue", "HTTPServer", "HTTP", "JSON", "YAML",
            "Basics",
        ]
    ),
]

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let systemLibraries: [(module: String, pkgConfig: String, package: String)] = [
    ("CCrypto", "libcrypto", "libssl-dev"),
    ("CCurl", "libcurl", "libcurl4-openssl-dev"),
    ("CJWT", "libjwt", "libjwt-dev"),
    ("CFYAML", "libfyaml", "libfyaml-dev"),
    ("CMicrohttpd", "libmicrohttpd", "libmicrohttpd-dev"),
    ("CPCRE2", "libpcre2-8", "libpcre2-dev"),
    ("CPQ", "libpq", "libpq-dev"),
    ("CSQLite", "sqlite3", "libsqlite3-dev"),
    ("CXGBoost", "xgboost", "libxgboost-dev"),
    ("CXML2", "libxml-2.0", "libxml2-dev"),
    ("CZlib", "zlib", "zlib1g-dev"),
]

/// The SQL files of a store, one resource each: a folder as one resource would lose the files' own names. They are
/// listed, not looked up, since SwiftPM caches what a manifest answered; the compiler and a test miss what is not here.
let embeddedSQL: [String: [(folder: String, files: String)]] = [
    "PostgresStore": [
        (
            "Migrations",
            """
            v0000_migrations v0001_jobs v0001_credits v0001_limits v0001_news v0001_users v0001_row_security
            v0002_queue v0002_spend v0002_history v0002_bounds v0002_batches v0002_monitoring v0003_news v0003_learning v0003_readers v0004_accounts
            v0005_impact v0006_access v0006_credits v0007_webhooks v0007_workers v0008_plans
            v0009_operators v0010_privacy v0011_attempts v0013_bars v0014_subject v0015_exports v0015_workers v0016_pauses v0017_operations v0018_ended_pauses v0020_compatibility v0021_operators
            v0022_workers
            """
        ),
        (
            "Functions",
            """
            account_for adopt_bundle api_keys append_steps apply_records balances cancel_jobs change_preferences
            claim_jobs complete_jobs concurrency_keys credit_grants delete_job deregister_worker
            enqueue_scheduled_run erase_user exchange_budgets expire_jobs fail_jobs fair_queue grant_credits history job_history model_batches model_calls
            monthly_credits observe_workers operator_reads pause_jobs pending_jobs
            permits record_news record_passages record_recall_cards snooze_jobs refresh_session report_progress rescue_worker retry_job store_now
            submit_jobs submit_one_each submit_shared_jobs take_ready_jobs watchlist_add webhook_deliveries
            """
        ),
        (
            "SQL", "jobs claims journal credits model_costs monitoring workers limits schedules batches database health"
        ),
        (
            "SQL/Records",
            """
            access accounts articles conversations deletions documents erasures exports ledger operations operators passages pauses plans preferences
            recall sessions stories webhooks
            """
        ),
    ],
    "SQLiteStore": [
        (
            "Migrations",
            """
            v0001_jobs v0001_credits v0001_limits v0001_news v0001_users v0002_queue v0002_spend v0002_history
            v0002_bounds v0002_batches v0002_monitoring v0003_news v0003_learning v0003_readers
            v0004_accounts v0005_impact v0006_access v0006_credits v0007_webhooks v0007_workers v0008_plans
            v0009_operators v0010_privacy v0011_attempts v0013_bars v0014_subject v0015_exports v0015_workers v0016_pauses v0017_operations v0018_ended_pauses v0020_compatibility v0021_operators
            v0022_workers
            """
        ),
        (
            "SQL",
            """
            jobs claims pause_jobs job_history ready_queue concurrency_keys permits shared_jobs journal credits model_costs monitoring
            workers schedules budgets batches health database
            """
        ),
        (
            "SQL/Records",
            """
            access accounts articles conversations deletions documents erasures exports ledger operations operators passages pauses plans preferences
            recall sessions stories webhooks
            """
        ),
    ],
]

/// The modules that have tests of their own, each with what its tests need besides the module and its dependencies.
let tested: [(module: String, needs: [Target.Dependency])] = [
    ("Basics", []),
    ("JSON", []),
    ("YAML", []),
    ("HTTP", []),
    ("HTTPServer", []),
    ("JSONSchema", []),
    ("Dotprompt", []),
    ("Articles", []),
    ("Filings", []),
    ("JobQueue", []),
    ("DossierClient", []),
    ("Observability", ["HTTPServer"]),
    ("News", []),
    ("Prices", []),
    ("Forecasting", []),
    ("Learning", []),
    ("SQLiteStore", ["StoreConformance", "StoreHammer", "Benchmark"]),
    ("PostgresStore", ["StoreConformance", "StoreHammer", "PostgresTesting"]),
    ("Prompts", []),
    ("LanguageModels", ["SQLiteStore", "PostgresStore", "PostgresTesting"]),
    ("DataSources", ["HTTPServer", "Simulator"]),
    ("Agents", ["SQLSupport", "SQLiteStore", "Simulator"]),
    ("Simulator", []),
    ("Broker", ["SQLSupport", "SQLiteStore", "BrokerClient", "Simulator"]),
    ("Worker", ["SQLSupport", "SQLiteStore", "HTTPServer"]),
    ("PromptRegression", ["DataSources", "SQLiteStore"]),
]

func embedded(in module: String) -> [Resource] {
    if module == "News" { return [.embedInCode("Companies/companies.tsv")] }
    if module == "PromptRegression" { return ["css", "js"].map { .embedInCode("Resources/report.\($0)") } }
    if module == "Simulator" {
        return [
            "companies/AAPL.tsv", "companies/SNOW.tsv", "companies/invented.tsv", "news.json", "market.json",
            "phrases.json", "phrases.de.json", "phrases.es.json", "phrases.fr.json", "occasions.json",
            "occasions.de.json", "occasions.es.json", "occasions.fr.json",
        ].map {
            .embedInCode("Resources/\($0)")
        }
    }
    if module == "Broker" {
        let files = ["api", "schemas", "news", "learning", "accounts", "results", "errors", "webhooks", "operators"]
        return files.map { .embedInCode("OpenAPI/\($0).yaml") } + [.embedInCode("OpenAPI/docs.css")]
    }
    guard let files = embeddedSQL[module] else { return [] }
    return files.flatMap { folder, names in
        names.split { $0.isWhitespace }.map { .embedInCode("\(folder)/\($0).sql") }
    }
}

// The lists have their types written out: as one expression they take the compiler longer than it allows itself.
let libraryTargets: [Target] = systemLibraries.map { library in
    .systemLibrary(name: library.module, pkgConfig: library.pkgConfig, providers: [.apt([library.package])])
}

let moduleTargets: [Target] = modules.map { module in
    .target(
        name: module.name, dependencies: module.dependsOn,
        exclude: module.name.hasSuffix("Store") ? ["schema.sql"] : [], resources: embedded(in: module.name),
        swiftSettings: settings)
}

/// Data that tests read as files.
let excluded = [
    "News": ["LookAlikes", "Impact"], "Prompts": ["Answers"], "Broker": ["Vectors"], "Learning": ["fsrs-vectors.tsv"],
]

/// Tests run on optimised code, and are not optimised themselves: that would take the compiler longer than it saves.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let testTargets: [Target] = tested.map { module, needs in
    let dependsOn = modules.first { $0.name == module }?.dependsOn ?? []
    return .testTarget(
        name: module + "Tests",
        dependencies: [.init(stringLiteral: module), "TestSupport"] + dependsOn.filter { !$0.isC } + needs,
        exclude: excluded[module] ?? [], swiftSettings: testSettings)
}

/// The commit, where the build is told one: `make dist` is. One file of C knows it, so that another commit compiles that
/// file alone, and a plain `swift build` compiles nothing.
let commit = Context.environment["DOSSIER_COMMIT"]

let otherTargets: [Target] = [
    .target(name: "CBuild", cSettings: commit.map { [.define("DOSSIER_COMMIT", to: $0)] }),
    .target(name: "CConsole"),
    .target(name: "CMalloc"),
    .target(
        name: "StoreConformance", dependencies: ["JobQueue", "JSON", "TestSupport"], path: "Tests/StoreConformance",
        swiftSettings: testSettings),
    .target(
        name: "TestSupport", dependencies: ["DossierAPI", "JobQueue", "Basics", "JSON"], path: "Tests/TestSupport",
        swiftSettings: testSettings),
    .target(
        name: "BrokerClient", dependencies: ["DossierAPI", "HTTP"], path: "Tests/BrokerClient", swiftSettings: settings),
    .target(
        name: "Benchmark", dependencies: ["JobQueue", "JSON"], path: "Benchmarks/Benchmark",
        swiftSettings: settings),
    .target(name: "MonotonicTimers", path: "Tests/MonotonicTimers"),
    .target(name: "StalledDisk", path: "Tests/StalledDisk"),
    .target(name: "PostgresTesting", path: "Tests/PostgresTesting", swiftSettings: settings),
    .executableTarget(
        name: "DossierCLI", dependencies: modules.map { .init(stringLiteral: $0.name) } + ["Benchmark", "CBuild"],
        swiftSettings: settings),
    .executableTarget(
        name: "StoreHammer", dependencies: ["SQLiteStore", "PostgresStore", "JobQueue", "Basics", "JSON"],
        path: "Tests/StoreHammer",
        swiftSettings: settings),
    .executableTarget(
        name: "SampleApp", dependencies: ["DossierClient"], path: "Tests/SampleApp", swiftSettings: settings),
    .executableTarget(
        name: "StoryMeasure", dependencies: ["News", "JSON"], path: "Benchmarks/StoryMeasure",
        swiftSettings: settings),
    .testTarget(name: "ArchitectureTests", swiftSettings: testSettings),
    .target(
        name: "FuzzTargets",
        dependencies: [
            "HTTPServer", "HTTP", "Broker", "LanguageModels", "Articles", "Dotprompt", "JSONSchema", "JSON", "YAML",
            "Basics",
        ],
        path: "Tests/FuzzTargets", swiftSettings: settings),
    .executableTarget(
        name: "Fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz", exclude: ["Corpus"],
        swiftSettings: settings),
    .testTarget(
        name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: testSettings),
    // The whole product with real processes: it needs the executables `dossier` and `SampleApp` beside the test bundle.
    .testTarget(
        name: "SystemTests",
        dependencies: [
            "DossierCLI", "SampleApp", "DossierAPI", "DossierClient", "BrokerClient", "HTTPServer", "HTTP", "Simulator",
            "SQLiteStore",
            "PostgresStore", "JobQueue", "JSON", "Basics", "PostgresTesting", "TestSupport",
        ],
        swiftSettings: testSettings),
]

let package = Package(
    name: "dossier",
    // The client runs on Apple's systems, too; everything else is for Linux.
    platforms: [.iOS(.v16), .macOS(.v13), .watchOS(.v9)],
    products: [
        // Static: for an automatic library SwiftPM builds the whole package, with all its C libraries.
        .library(name: "DossierClient", type: .static, targets: ["DossierClient"]),
        .executable(name: "dossier", targets: ["DossierCLI"]),
        .library(name: "Dotprompt", targets: ["Dotprompt"]),
        .library(name: "JSONSchema", targets: ["JSONSchema"]),
        // Only for tests that set a clock: they have processes load it.
        .library(name: "MonotonicTimers", type: .dynamic, targets: ["MonotonicTimers"]),
        // Only for tests that make the commits of a database server hang: they have the server load it.
        .library(name: "StalledDisk", type: .dynamic, targets: ["StalledDisk"]),
    ],
    targets: libraryTargets + moduleTargets + otherTargets + testTargets,
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    /// C modules are imported by one target each, never by tests.
    var isC: Bool {
        if case .byNameItem(let name, _) = self {
            name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
        } else {
            false
        }
    }
}
