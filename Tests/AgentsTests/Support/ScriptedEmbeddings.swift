import Foundation
import HTTP
import JSON
import LanguageModels
import JobQueue
import SQLiteStore
import Basics
import Synchronization
import Testing

@testable import Agents

/// A provider of vectors that puts texts where a test says, and keeps what it was asked.
final class ScriptedEmbeddings: Sendable {
    struct Text: Hashable {
        var text: String
        var purpose: String
    }

    let web = ScriptedWeb()

    /// `values` says where a text stands.
    init(_ values: @escaping @Sendable (Text) -> [Float]) {
        web.set("https://gemini.example/") { request in
            let vectors = Self.texts(of: request).map { text -> JSON in
                ["values": .array(values(text).map { JSON(Double($0)) })]
            }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "application/json"],
                body: Array((["embeddings": .array(vectors)] as JSON).compact.utf8))
        }
    }

    /// Every call fails so.
    init(failing status: Int) { web.set("https://gemini.example/") { _ in HTTPResponse(status: status) } }

    /// The texts of each call.
    var calls: [[Text]] { web.requests.map(Self.texts) }

    func meaning(over store: SQLiteStore) throws -> MeaningSearch {
        let catalogue = try ModelCatalogue(
            parsing: String(contentsOfFile: Home.path + "/models.yaml", encoding: .utf8))
        let configuration = ModelsConfiguration(gemini: .init(key: Secret("k"), baseURL: "https://gemini.example"))
        let model = try #require(EmbeddingModel(catalogue, configuration: configuration, over: web))
        return MeaningSearch(PassageEmbedder(model, passages: store), passages: store, articles: store)
    }

    private static func texts(of request: HTTPRequest) -> [Text] {
        let body = (try? JSON(parsing: request.body)) ?? .null
        return (body["requests"]?.array ?? []).map { one in
            Text(
                text: one["content"]?["parts"]?[0]?["text"]?.string ?? "", purpose: one["taskType"]?.string ?? "")
        }
    }
}
