import DossierClient
import Foundation

// What the examples take from the app around them.

func show(_ parts: Any?..., isOld: Bool = false) {}

func follow<Output>(_ events: Updates<JobEvent<Output>>) {}

func download(_ url: URL) async throws -> Data { Data() }

func download() async throws -> Data { Data() }

#if !canImport(Security)
    /// Apple's systems have the one of `KeychainExample.swift`.
    struct KeychainTokenStorage: TokenStorage {
        func load() async throws -> TokenPair? { nil }
        func replace(_ old: TokenPair?, with new: TokenPair?) async throws -> Bool { true }
    }
#endif
