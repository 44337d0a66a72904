// swift-tools-version: 6.2
import PackageDescription

/// Example code for apps. A package of its own, as an app is: of the package above it builds `DossierClient` alone, so
/// no C library has to be installed.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let client: Target.Dependency = .product(name: "DossierClient", package: "dossier")

let package = Package(
    name: "dossier-examples",
    // The view models use `@Observable`; the client itself runs on iOS 16, macOS 13 and watchOS 9.
    platforms: [.iOS(.v17), .macOS(.v14), .watchOS(.v10)],
    products: [
        .library(name: "AppModels", targets: ["AppModels"]),
        .library(name: "AppViews", targets: ["AppViews"]),
        .library(name: "DocumentNames", targets: ["DocumentNames"]),
    ],
    dependencies: [.package(name: "dossier", path: "..")],
    targets: [
        .target(name: "AppModels", dependencies: [client], swiftSettings: settings),
        // Compiled where SwiftUI is; empty on Linux.
        .target(name: "AppViews", dependencies: ["AppModels", client], swiftSettings: settings),
        .target(name: "DocumentNames", dependencies: ["AppModels", client], swiftSettings: settings),
        .target(name: "ScriptedServer", dependencies: [client], path: "Tests/ScriptedServer", swiftSettings: settings),
        .testTarget(
            name: "AppModelsTests", dependencies: ["AppModels", "ScriptedServer", client], swiftSettings: settings),
        .testTarget(
            // The snippets of the documents import nothing; so members have to be visible without.
            name: "DocumentNamesTests", dependencies: ["DocumentNames", "AppModels", "ScriptedServer", client],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
