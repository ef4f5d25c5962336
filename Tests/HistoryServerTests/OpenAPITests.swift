import Foundation
import MessageStorage
import TestSupport
import Testing

/// docs/openapi.json says what the server answers.
@Suite(.waiting) struct OpenAPITests {
  private static let questions = [
    "conversations", "conversation", "page", "message", "messages", "hits", "best", "shared", "senders",
    "days",
    "groups", "anniversaries", "statistics", "filters", "people", "threads", "sessions", "usage",
  ]

  @Test func `the document tells each address and no other`() throws {
    let document = try OpenAPIDocument()
    let api = document.paths.keys.filter { $0.hasPrefix("/api/") }.map { String($0.dropFirst(5)) }
    #expect(Set(api) == Set(Self.questions + ["changes", "found", "read", "star"]))
    let fixture = try ServerFixture(count: 1)
    let id = try fixture.attach(Array("tea".utf8), named: "a.txt")
    for path in document.paths.keys where document.paths[path]?["post"] == nil {
      let there = path.replacing("{id}", with: "\(id)").replacing("{index}", with: "0").dropFirst()
      let response = try fixture.get(String(there))
      // What needs more than its address says what it needs; a text has no thumbnail, and a store with messages
      // does not say how to get some.
      let isMissing = ["/thumbnail", "/preview", "/found"].contains(where: path.hasSuffix)
      #expect(response.status == 200 || response.status == (isMissing ? 404 : 400), "\(path)")
    }
  }

  @Test(arguments: questions + ["changes"])
  func `the document tells each parameter of a question and no other`(question: String) throws {
    let document = try OpenAPIDocument()
    let fixture = try ServerFixture(count: 1)
    // What is no parameter is refused, and those that are ones are told.
    let response = try fixture.get("api/\(question)?ids=1&none=1")
    let error = try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    let known = try #require(error["remedy"] as? String).components(separatedBy: ", ")
    #expect(document.parameters("/api/\(question)").sorted() == known.sorted())
  }

  @Test func `each answer is as the document tells it`() throws {
    let fixture = try ServerFixture(
      count: 30, texts: ["see https://example.org <b>", "long \(String(repeating: "x", count: 9_000))"])
    let reply = try fixture.attach(Array("some words".utf8), named: "a.txt")
    let store = try SynchronousMessageStore(
      path: fixture.shell.store, options: StoreOptions(access: .readWrite))
    try store.react("👍", to: reply, by: "bob")
    store.close()
    try fixture.shell.run(["edit", "\(reply)", "other words"])
    try fixture.shell.run(["filters", "save", "teatime", "--from", "alice"])
    try fixture.shell.run(["senders", "alias", "bob", "alice"])
    try fixture.shell.run(["people", "link", "Alice", "alice"])
    let document = try OpenAPIDocument()
    for address in [
      "conversations?unread=true&newest=true", "conversations?limit=0", "conversation?conversation=general",
      "page", "page?detail=whole", "page?at=percent:50&limit=3", "page?limit=0", "message?id=\(reply)",
      "messages?ids=\(reply),7", "hits?words=words&context=2", "hits?words=message&limit=2&detail=whole",
      "hits?words=message+from:alice&counts=true", "hits?words=message+massage", "hits?words=form:alice",
      "best?words=message+of+words&limit=2", "best?words=message+from:alice", "senders?limit=1", "senders",
      "days", "days?by=month&conversation=general&limit=1", "groups", "groups?by=sender&limit=1",
      "groups?by=hour&filter.matching=words", "groups?by=kind&conversations=general", "groups?by=week",
      "anniversaries?day=2024-01-02&limit=1", "shared", "shared?sort=files&limit=1",
      "shared?sort=pictures&filter.senders=alice", "statistics", "statistics?sizes=true",
      "statistics?conversations=general", "filters", "people", "people?limit=1&named=a*", "threads",
      "sessions?words=is:failed&limit=2", "usage", "usage?by=model&words=since:2024-01-01&limit=2",
      "threads?limit=0", "threads?begunBy=\(reply),7", "page?limit=-1",
      "hits", "message?id=7", "nowhere",
    ] {
      let response = try fixture.get("api/\(address)")
      let value = try JSONSerialization.jsonObject(with: Data(response.body), options: .fragmentsAllowed)
      let path = "/api/\(address.prefix { $0 != "?" })"
      let faults =
        response.status == 200
        ? document.faults(value, path: path) : document.faults(value, schema: "answer-error")
      #expect(faults.isEmpty, "\(address): \(faults.joined(separator: "; "))")
    }
    for event in ["hello", "changes"] {
      let client = try fixture.client()
      client.send(fixture.request(fixture.prefix + "api/changes?since=0.0.0.-"))
      _ = try client.response()
      let text = try client.chunk()
      let data = try #require(
        text.components(separatedBy: "event: \(event)\n").last?.split(separator: "\n")[1].dropFirst(6))
      let value = try JSONSerialization.jsonObject(with: Data(data.utf8))
      #expect(document.faults(value, schema: "event-\(event)").isEmpty)
    }
  }

  @Test func `an answer that is not as told is noticed`() throws {
    let document = try OpenAPIDocument()
    let good: [String: Any] = [
      "answer": "days", "days": [["messages": 1, "firstNumber": 1, "firstID": "7"]],
    ]
    #expect(document.faults(good, path: "/api/days").isEmpty)
    for (key, value) in [("answer", "page"), ("more", 1), ("days", [["messages": "1"]]), ("next", "x")]
      as [(String, Any)]
    {
      var bad = good
      bad[key] = value
      #expect(!document.faults(bad, path: "/api/days").isEmpty, "\(key)")
    }
    #expect(!document.faults(["answer": "days"], path: "/api/days").isEmpty)
  }
}

/// The document, as far as it is used: JSON Schema with types, keys, lists, words, patterns and alternatives.
private struct OpenAPIDocument {
  let paths: [String: [String: Any]]
  private let schemas: [String: Any]

  init() throws {
    let data = try Data(contentsOf: GoldenFile.root.appending(path: "docs/openapi.json"))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    paths = try #require(document["paths"] as? [String: [String: Any]])
    schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: Any])
  }

  private func operation(_ path: String) -> [String: Any] { paths[path]?["get"] as? [String: Any] ?? [:] }

  func parameters(_ path: String) -> [String] {
    (operation(path)["parameters"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  /// What of an answer is not as the document tells it.
  func faults(_ value: Any, path: String) -> [String] {
    let responses = operation(path)["responses"] as? [String: Any]
    let content = (responses?["200"] as? [String: Any])?["content"] as? [String: Any]
    guard let schema = (content?["application/json"] as? [String: Any])?["schema"] else {
      return ["no schema"]
    }
    return faults(value, schema, "answer")
  }

  func faults(_ value: Any, schema name: String) -> [String] {
    schemas[name].map { faults(value, $0, "answer") } ?? ["no schema \(name)"]
  }

  private func faults(_ value: Any, _ schema: Any, _ place: String) -> [String] {
    guard let schema = schema as? [String: Any] else { return ["\(place): no schema"] }
    if let reference = schema["$ref"] as? String {
      return schemas[String(reference.split(separator: "/").last ?? "")].map { faults(value, $0, place) } ?? [
        "\(reference)?"
      ]
    }
    if let forms = schema["anyOf"] as? [Any] {
      return forms.contains { faults(value, $0, place).isEmpty } ? [] : ["\(place): of no form"]
    }
    if let words = schema["enum"] as? [String] {
      return (value as? String).map(words.contains) == true ? [] : ["\(place): \(value) is none of \(words)"]
    }
    switch schema["type"] as? String {
    case "string":
      guard let text = value as? String else { return ["\(place): no string"] }
      let pattern = schema["pattern"] as? String
      let fits = pattern.map { text.range(of: $0, options: .regularExpression) != nil } ?? true
      return fits ? [] : ["\(place): '\(text)' is not as \(pattern ?? "")"]
    case "integer": return value is Int && !isFlag(value) ? [] : ["\(place): no whole number"]
    case "number": return value is Double && !isFlag(value) ? [] : ["\(place): no number"]
    case "boolean": return isFlag(value) ? [] : ["\(place): neither true nor false"]
    case "array":
      guard let list = value as? [Any], let items = schema["items"] else { return ["\(place): no list"] }
      return list.enumerated().flatMap { faults($1, items, "\(place)[\($0)]") }
    case "object":
      guard let object = value as? [String: Any], let keys = schema["properties"] as? [String: Any] else {
        return ["\(place): no object"]
      }
      let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map {
        "\(place): no \($0)"
      }
      return missing
        + object.flatMap { key, value in
          keys[key].map { faults(value, $0, "\(place).\(key)") } ?? ["\(place): \(key) is not told"]
        }
    default: return ["\(place): a schema without a type"]
    }
  }

  private func isFlag(_ value: Any) -> Bool {
    #if canImport(Darwin)
      (value as? NSNumber).map { CFGetTypeID($0) == CFBooleanGetTypeID() } ?? false
    #else
      (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? (value is Bool)
    #endif
  }
}
