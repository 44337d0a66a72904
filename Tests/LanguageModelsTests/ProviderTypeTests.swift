import Foundation
import JSON
import Testing

@testable import LanguageModels

/// Checks the request bodies against the type definitions of the providers' own Python packages.
///
/// Runs if `PROVIDER_SDK_PYTHON` names a Python with `anthropic`, `google-genai` and `openai`.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["PROVIDER_SDK_PYTHON"] != nil,
        "set PROVIDER_SDK_PYTHON to a Python with anthropic, google-genai and openai"))
struct ProviderTypeTests {
    /// Requests with every feature: plain, full, a tool loop with each choice of tools.
    private static func requests() -> [ModelRequest] {
        var requests = [Fixture.plain, Fixture.full]
        for choice in [ToolChoice.automatic, .any, .none, .tool("get_quote")] {
            var loop = Fixture.toolLoop(nil, id: "gemini-f1")
            loop.toolChoice = choice
            requests.append(loop)
        }
        var document = Fixture.plain
        document.messages = [
            ModelMessage(
                role: .user,
                parts: [
                    .media(Media(mimeType: "application/pdf", source: .base64("JVBERg=="))),
                    .media(Media(mimeType: "image/webp", source: .url("https://e.com/a.webp"))), .text("Read this."),
                ])
        ]
        document.system = SystemPrompt(stable: "s")
        return requests + [document]
    }

    private func bodies(_ model: (ScriptedTransport) throws -> any LanguageModel) async throws -> [JSON] {
        var bodies: [JSON] = []
        for request in Self.requests() {
            for onText in [nil, ignoreText] {
                let transport = ScriptedTransport()
                _ = try await failure { try await model(transport).respond(to: request, onText: onText) }
                bodies += transport.bodies
            }
        }
        return bodies
    }

    /// Checks a value against typed dictionaries: no unknown key, every required key, every value of its type. The
    /// available validators ignore unknown keys.
    private static let checker = """
        import collections.abc, typing, typing_extensions as te
        def fits(value, kind, path):
            origin, arguments = te.get_origin(kind), te.get_args(kind)
            if origin in (te.Required, te.NotRequired, te.Annotated): return fits(value, arguments[0], path)
            if origin is typing.Union:
                found = [fits(value, a, path) for a in arguments]
                return None if None in found else max(found, key=len)
            if origin is typing.Literal: return None if value in arguments else f"{path}: {value} is none of {arguments}"
            if te.is_typeddict(kind):
                if not isinstance(value, dict): return f"{path} is no object"
                hints = te.get_type_hints(kind, include_extras=True)
                # The packages mark what is required key by key.
                for key in [k for k, h in hints.items() if te.get_origin(h) is te.Required]:
                    if key not in value: return f"{path}.{key} is missing"
                for key, item in value.items():
                    if key not in hints: return f"{path}.{key} is unknown"
                    if found := fits(item, hints[key], f"{path}.{key}"): return found
                return None
            if origin in (dict, collections.abc.Mapping): return None if isinstance(value, dict) else f"{path} is no object"
            if origin in (list, collections.abc.Iterable, collections.abc.Sequence) or "Sequence" in str(origin):
                if not isinstance(value, list): return f"{path} is no array"
                return next((f for i, v in enumerate(value) if (f := fits(v, arguments[0], f"{path}[{i}]"))), None)
            if kind is type(None): return None if value is None else f"{path} is not null"
            if kind is object or kind is typing.Any: return None
            if kind in (int, float) and isinstance(value, bool): return f"{path} is a boolean"
            return None if isinstance(kind, type) and isinstance(value, kind) else f"{path}: {value!r} is no {kind}"
        """

    @Test func theCheckerFindsMistakes() async throws {
        try await check(
            """
            \(Self.checker)
            from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as Kind
            def problem(body):
                good = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}]}
                wrong = [{**good, "x": 1}, {**good, "max_tokens": "1"}, {"model": "m"}, {**good, "system": [{"type": "text"}]},
                         {**good, "messages": [{"role": "user", "content": [{"type": "text", "text": "x", "y": 1}]}]}]
                if found := fits(good, Kind, ""): return found
                return next((f"{w} passes" for w in wrong if not fits(w, Kind, "")), None)
            """, bodies { try Fixture.claude($0) })
    }

    @Test func requestsToClaudeFitItsTypes() async throws {
        try await check(
            """
            \(Self.checker)
            from anthropic.types import message_create_params as p
            def problem(body):
                kind = p.MessageCreateParamsStreaming if body.get("stream") else p.MessageCreateParamsNonStreaming
                return fits(body, kind, "")
            """, bodies { try Fixture.claude($0) })
    }

    @Test func requestsToGeminiFitItsTypes() async throws {
        try await check(
            """
            from google.genai import types as t
            known = {"systemInstruction": t.Content, "contents": [t.Content], "generationConfig": t.GenerationConfig,
                     "tools": [t.Tool], "toolConfig": t.ToolConfig}
            def problem(body):
                for key, value in body.items():
                    kind = known[key]
                    for item in value if isinstance(kind, list) else [value]:
                        model = (kind[0] if isinstance(kind, list) else kind).model_validate(item)
                        back = model.model_dump(mode="json", by_alias=True, exclude_none=True)
                        if back != item: return f"{back} is not {item}"
            """, bodies { try Fixture.gemini($0) })
    }

    @Test func requestsToOpenAIFitItsTypes() async throws {
        try await check(
            """
            \(Self.checker)
            from openai.types.chat import completion_create_params as p
            def problem(body):
                kind = p.CompletionCreateParamsStreaming if body.get("stream") else p.CompletionCreateParamsNonStreaming
                return fits(body, kind, "")
            """, bodies { try Fixture.openai($0) })
    }

    /// Runs a script that defines `problem(body)` over all bodies; every printed line is a problem.
    private func check(_ script: String, _ bodies: [JSON]) async throws {
        let program = """
            import json, sys
            \(script)
            for line in sys.stdin:
                body = json.loads(line)
                try:
                    found = problem(body)
                except Exception as error:
                    found = f"{error!r} in {body}"
                if found: print(found)
            print("checked")
            """
        let python = try #require(ProcessInfo.processInfo.environment["PROVIDER_SDK_PYTHON"])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", program]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(bodies.map { $0.compact + "\n" }.joined().utf8))
        try input.fileHandleForWriting.close()
        let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(bodies.count == Self.requests().count * 2)
        #expect(printed == "checked\n")
    }
}
