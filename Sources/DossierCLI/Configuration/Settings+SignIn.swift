import Basics
import Broker

/// The settings of sign-in.
extension Settings {
    static func authentication(_ reader: SettingReader) throws(CommandFailure) -> Authentication {
        switch reader.text("DOSSIER_AUTH") ?? "development" {
        case "development": return .development
        case "gateway":
            guard let secret = reader.secret("DOSSIER_GATEWAY_SECRET"), secret.reveal().utf8.count >= 16 else {
                throw .usage("DOSSIER_AUTH=gateway needs DOSSIER_GATEWAY_SECRET, of at least 16 characters")
            }
            return .gateway(secret: secret, previous: try previous("DOSSIER_GATEWAY_SECRET", reader, atLeast: 16))
        case "jwt": return .jwt(try sessionTokens(reader, provider: try identityProvider(reader)))
        default: throw .usage("DOSSIER_AUTH must be development, gateway or jwt")
        }
    }

    /// The issuer of tokens for operators.
    static func tokens(_ reader: SettingReader) throws(CommandFailure) -> SessionTokens {
        if let tokens = try authentication(reader).tokens { return tokens }
        return try sessionTokens(reader, provider: IdentityProvider())
    }

    /// The service's tokens. Their secret is at least as long as its digest (RFC 7518, 3.2).
    private static func sessionTokens(
        _ reader: SettingReader, provider: IdentityProvider
    ) throws(CommandFailure) -> SessionTokens {
        guard let secret = reader.secret("DOSSIER_JWT_SECRET"), secret.reveal().utf8.count >= 32 else {
            throw .usage("DOSSIER_JWT_SECRET must be set to at least 32 random characters")
        }
        return SessionTokens(
            secret: secret, previous: try previous("DOSSIER_JWT_SECRET", reader, atLeast: 32), provider: provider)
    }

    /// The secret before a rotation.
    private static func previous(
        _ variable: String, _ reader: SettingReader, atLeast length: Int = 1
    ) throws(CommandFailure) -> Secret? {
        guard let previous = reader.secret(variable + "_PREVIOUS") else { return nil }
        guard let present = reader.secret(variable) else {
            throw .usage("\(variable)_PREVIOUS needs \(variable)")
        }
        guard !present.reveal().hasSameBytes(as: previous.reveal()) else {
            throw .usage("\(variable)_PREVIOUS must differ from \(variable)")
        }
        guard previous.reveal().utf8.count >= length else {
            throw .usage("\(variable)_PREVIOUS must have at least \(length) characters")
        }
        return previous
    }

    private static func identityProvider(_ reader: SettingReader) throws(CommandFailure) -> IdentityProvider {
        let secrets = [reader.secret("SUPABASE_JWT_SECRET"), try previous("SUPABASE_JWT_SECRET", reader)]
        var provider = IdentityProvider(secrets: secrets.compactMap(\.self))
        provider.tierClaim = try claim("DOSSIER_TIER_CLAIM", reader) ?? provider.tierClaim
        provider.roleClaim = try claim("DOSSIER_ROLE_CLAIM", reader) ?? provider.roleClaim
        let url = try address("DOSSIER_OIDC_JWKS_URL", reader)
        provider.audiences = (reader.text("DOSSIER_OIDC_AUDIENCE") ?? "").split(separator: ",").map { word in
            String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
        guard let issuer = try address("DOSSIER_OIDC_ISSUER", reader) else {
            for variable in ["DOSSIER_OIDC_JWKS_URL", "DOSSIER_OIDC_AUDIENCE"] where reader.text(variable) != nil {
                throw .usage("\(variable) needs DOSSIER_OIDC_ISSUER")
            }
            return provider
        }
        guard !provider.audiences.isEmpty else {
            throw .usage(
                "DOSSIER_OIDC_ISSUER needs DOSSIER_OIDC_AUDIENCE, the `aud` of accepted tokens: "
                    + "authenticated for Supabase")
        }
        provider.issuer = issuer
        provider.location = url.map { .keySet(url: $0) } ?? .discovery(issuer: issuer)
        return provider
    }

    private static func address(_ variable: String, _ reader: SettingReader) throws(CommandFailure) -> String? {
        try reader.read(variable, default: nil) { text throws(ConfigurationError) in
            guard ProviderAddress.isSafe(text) else {
                throw ConfigurationError("must be an https URL; http is for this machine alone")
            }
            return text
        }
    }

    private static func claim(
        _ variable: String, _ reader: SettingReader
    ) throws(CommandFailure) -> IdentityProvider.ClaimPath? {
        try reader.read(variable, default: nil) { text throws(ConfigurationError) in
            guard let path = IdentityProvider.ClaimPath(text) else {
                throw ConfigurationError(
                    "must be names with dots between them, as in app_metadata.tier, and not below user_metadata, "
                        + "which users write themselves")
            }
            return path
        }
    }
}
