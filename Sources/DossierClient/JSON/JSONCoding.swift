public import Foundation

extension JSONDecoder {
    /// Reads the wire's JSON, for fixtures and previews: all forms of times that the API has, and its names.
    public static var dossier: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            WireName(stringValue: path.last.map { WireNames.swiftName(of: $0.stringValue) } ?? "")
        }
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = WireTime.date(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "is not a time"))
            }
            return date
        }
        return decoder
    }
}

extension JSONEncoder {
    /// Writes the wire's JSON: decoding and encoding an answer loses nothing but nulls.
    public static var dossier: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .custom { path in
            WireName(stringValue: path.last.map { WireNames.wireName(of: $0) } ?? "")
        }
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(WireTime.text(date))
        }
        // Equal values have equal bytes, so that a stored body is sent unchanged.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
