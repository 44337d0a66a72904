internal import Basics
internal import DossierAPI
internal import FoundationEssentials
internal import JSON

/// `/docs`: the description of the API as a page for people, without scripts and without anything from another origin.
struct DocsPage {
    private let document: JSON
    private let notes: APINotes
    private static let style = String(decoding: PackageResources.docs_css, as: UTF8.self)
    private static let prefix = "#/components/schemas/"

    init(_ document: JSON, notes: APINotes = .bundled) {
        self.document = document
        self.notes = notes
    }

    /// Permits the page its own style and nothing else.
    static let contentSecurityPolicy: String = {
        let digest = Data(SHA256.digest(Array(style.utf8))).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }()

    var html: String {
        let groups = grouped()
        var page = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
        page += "<meta name=\"viewport\" content=\"width=device-width\"><title>Dossier API</title>"
        page += "<style>\(Self.style)</style></head><body>"
        let info = document["info"]
        page += "<h1>\(text(info?["title"])) API \(text(info?["version"]))</h1><p>\(text(info?["description"])) "
        page += "Generators read <a href=\"/openapi.json\">/openapi.json</a>. "
        page += "The type of an answer whose name does not end in <code>Answer</code> is that of its member "
        page += "<code>data</code>; beside it are <code>success</code>, <code>meta</code> and, in lists, "
        page += "<code>pagination</code>. The commands use these variables:</p>"
        page += "<pre>\(variables.escaped)</pre><nav><ul>"
        for (tag, _, _) in groups { page += "<li><a href=\"#tag-\(tag.asID)\">\(tag.escaped)</a></li>" }
        page += "<li><a href=\"#schemas\">Schemas</a></li><li><a href=\"#errors\">Error codes</a></li></ul></nav><main>"
        for (tag, description, operations) in groups {
            page += "<h2 id=\"tag-\(tag.asID)\">\(tag.escaped)</h2><p>\(description.escaped)</p>"
            for operation in operations { page += render(operation) }
        }
        page += "<h2 id=\"schemas\">Schemas</h2>"
        for (name, schema) in document["components"]?["schemas"]?.object ?? [:] where content(of: schema) == nil {
            page += render(schema, name: name)
        }
        return page + errors + "</main></body></html>"
    }

    // MARK: Operations

    private struct Operation {
        let method: String
        let path: String
        let json: JSON
    }

    /// The operations by tag, in the order of the tags.
    private func grouped() -> [(tag: String, description: String, operations: [Operation])] {
        var operations: [String: [Operation]] = [:]
        for (path, methods) in document["paths"]?.object ?? [:] {
            for (method, json) in methods.object ?? [:] {
                let tag = json["tags"]?[0]?.string ?? "Service"
                operations[tag, default: []].append(Operation(method: method.uppercased(), path: path, json: json))
            }
        }
        return (document["tags"]?.array ?? []).compactMap { tag in
            guard let name = tag["name"]?.string, let found = operations[name] else { return nil }
            return (name, tag["description"]?.string ?? "", found)
        }
    }

    private func render(_ operation: Operation) -> String {
        let json = operation.json
        let anchor = (json["operationId"]?.string ?? "").anchor
        var page = "<h3 id=\"\(anchor)\"><b>\(operation.method)</b> "
        page += "<code>\(operation.path.escaped)</code></h3><p>\(text(json["summary"])).</p>"
        if let description = json["description"]?.string { page += "<p>\(description.escaped)</p>" }
        let scheme = (json["security"]?.array ?? []).isEmpty ? "Needs no user. " : ""
        page += "<p>\(scheme)\(answers(of: json))</p>"
        var rows: [[String]] = (json["parameters"]?.array ?? []).map { parameter in
            [
                text(parameter["name"]), text(parameter["in"]),
                type(of: parameter["schema"]) + (parameter["required"] == true ? "" : ", optional"),
                text(parameter["description"]),
            ]
        }
        if let body = json["requestBody"]?["content"]?["application/json"]?["schema"] {
            rows.append(["body", "body", type(of: body), ""])
        }
        if !rows.isEmpty { page += table(["Field", "In", "Type", "Meaning"], rows) }
        return page + "<pre>\(curl(operation).escaped)</pre>"
    }

    private func answers(of operation: JSON) -> String {
        (operation["responses"]?.object ?? [:]).map { status, answer in
            let content = answer["content"]?.object?.first { _ in true }
            let form = content.map { $0.key == "application/json" ? type(of: $0.value["schema"]) : $0.key.escaped }
            let name = status == "default" ? "Errors" : status
            return "<b>\(name)</b>\(form.map { ": \($0)" } ?? "")"
        }.joined(separator: " · ")
    }

    private var hasTokens: Bool { document["components"]?["securitySchemes"]?["bearer"] != nil }

    /// What the commands need: where the service is, and who asks.
    private var variables: String {
        let server = document["servers"]?[0]?["url"]?.string ?? "/"
        let base = server == "/" ? "http://127.0.0.1:5001" : server
        return "D=\(base)\nU=\(hasTokens ? "'Authorization: Bearer TOKEN'" : "'X-User-ID: 1'")"
    }

    private func curl(_ operation: Operation) -> String {
        var line = "curl"
        let example = operation.json["requestBody"]?["content"]?["application/json"]?["example"]
        // With --json it is a POST.
        if operation.method != (example == nil ? "GET" : "POST") { line += " -X \(operation.method)" }
        if !(operation.json["security"]?.array ?? []).isEmpty { line += " -H \"$U\"" }
        let path = operation.path.replacing("{ticker}", with: "AAPL").replacing("{", with: "$").replacing("}", with: "")
        line += " \"$D\(path)\""
        if let example { line += " \\\n  --json '\(example.compact.replacing("'", with: "'\\''"))'" }
        return line
    }

    // MARK: Schemas

    private func render(_ schema: JSON, name: String) -> String {
        var page = "<h3 id=s-\(name.anchor)>\(name.escaped)</h3>"
        if let title = schema["title"] ?? schema["description"] { page += "<p>\(text(title)).</p>" }
        guard let properties = schema["properties"]?.object else { return page + "<p>\(type(of: schema))</p>" }
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        return page
            + table(
                ["Member", "Type", "Meaning"],
                properties.map { member, value in
                    [
                        member.escaped,
                        type(of: value) + (required.contains(member) ? "" : ", optional"), text(value["description"]),
                    ]
                })
    }

    /// The schema of `data` in the usual envelope, when it has a name: the page shows it in place of the envelope.
    private func content(of schema: JSON?) -> JSON? {
        guard let properties = schema?["properties"], properties["success"]?["const"] == true,
            let data = properties["data"], data["$ref"] != nil || data["items"]?["$ref"] != nil
        else { return nil }
        return data
    }

    /// The type of a schema in words, with links to those that have names.
    private func type(of schema: JSON?) -> String {
        guard let schema else { return "" }
        if let reference = schema["$ref"]?.string {
            let name = String(reference.dropFirst(Self.prefix.utf8.count))
            if let data = content(of: document["components"]?["schemas"]?[name]) { return type(of: data) }
            return "<a href=#s-\(name.anchor)>\(name.escaped)</a>"
        }
        if let constant = schema["const"] { return "<code>\(constant.compact.escaped)</code>" }
        if let values = schema["enum"]?.array {
            return values.map { "<code>\((($0.string) ?? $0.compact).escaped)</code>" }.joined(separator: ", ")
        }
        for keyword in ["oneOf", "anyOf"] {
            if let alternatives = schema[keyword]?.array { return alternatives.map(type).joined(separator: " or ") }
        }
        let types = schema["type"]?.array?.compactMap(\.string) ?? schema["type"]?.string.map { [$0] } ?? ["object"]
        return types.map { name in
            name == "array" ? "list of \(type(of: schema["items"]))" : name.escaped
        }.joined(separator: " or ") + (schema["format"]?.string.map { " (\($0.escaped))" } ?? "")
    }

    // MARK: Errors

    private var errors: String {
        let rows = ErrorCode.all.map { code in
            [
                "<code id=\"\(code.rawValue)\">\(code.rawValue)</code>", text(notes.codes[code.rawValue]),
            ]
        }
        return "<h2 id=\"errors\">Error codes</h2>" + table(["Code", "Meaning"], rows)
    }

    // MARK: HTML

    private func text(_ value: JSON?) -> String { (value?.string ?? "").escaped }

    /// HTML closes rows and cells by itself.
    private func table(_ head: [String], _ rows: [[String]]) -> String {
        "<table><tr>" + head.map { "<th>\($0)" }.joined()
            + rows.map { "<tr>" + $0.map { "<td>\($0)" }.joined() }.joined() + "</table>"
    }
}

extension String {
    /// The text as HTML shows it in elements, where quotes stand for themselves.
    fileprivate var escaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    fileprivate var asID: String { lowercased().filter { $0.isLetter || $0.isNumber } }

    /// The name as an attribute has it: nothing that could end one.
    fileprivate var anchor: String { filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") } }
}
