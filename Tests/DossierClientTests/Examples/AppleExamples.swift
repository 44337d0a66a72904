// The examples of `docs/client.md` for Apple's systems, word for word. Nothing compiles them on Linux.
#if canImport(Security) && canImport(Network)
    import DossierClient
    import Foundation
    import Network
    import Security

    /// Tokens as one item of the keychain, which app and extensions share by an access group.
    struct KeychainTokenStorage: TokenStorage {
        private static let lock = NSLock()
        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "dossier.tokens",
                kSecAttrAccount as String: "tokens",
            ]
        }

        func load() async throws -> TokenPair? { try read() }

        func replace(_ old: TokenPair?, with new: TokenPair?) async throws -> Bool {
            try Self.lock.withLock {
                guard try read() == old else { return false }
                SecItemDelete(query as CFDictionary)
                guard let new else { return true }
                var item = query
                item[kSecValueData as String] = try JSONEncoder.dossier.encode(new)
                item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                let status = SecItemAdd(item as CFDictionary, nil)
                // Another process was faster.
                if status == errSecDuplicateItem { return false }
                guard status == errSecSuccess else { throw CocoaError(.fileWriteUnknown) }
                return true
            }
        }

        private func read() throws -> TokenPair? {
            var found: CFTypeRef?
            let wanted = query.merging([kSecReturnData as String: true]) { $1 } as CFDictionary
            guard SecItemCopyMatching(wanted, &found) == errSecSuccess, let data = found as? Data else { return nil }
            return try JSONDecoder.dossier.decode(TokenPair.self, from: data)
        }
    }

    private func watchNetwork() {
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            let type: ConnectivityMonitor.ConnectionType = path.usesInterfaceType(.wifi) ? .wifi : .cellular
            let status: ConnectivityMonitor.Status = path.status == .satisfied ? .connected : .disconnected
            ConnectivityMonitor.shared.report(status, connectionType: type)
        }
        monitor.start(queue: .main)
    }
#endif
