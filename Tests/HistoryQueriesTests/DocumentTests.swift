import Foundation
import HistoryModel
import HistoryQueries
import ShellCommands
import TestSupport
import Testing

/// docs/json.md and the pages beside it say of each object which keys it has, in which order, and give examples.
@Suite struct DocumentTests {
  @Test(arguments: DocumentedType.all)
  func
    `the document tells all keys of an object and no others, and its examples are read and written as they stand`(
      type: DocumentedType
    ) throws
  {
    let document = try JSONDocument()
    let section = try #require(document.sections[type.heading], "\(type.heading) has no section")
    try #require(!section.examples.isEmpty, "\(type.heading) has no example")
    var told: Set<String> = []
    for example in section.examples {
      let (keys, present, again) = try type.read(example)
      #expect(again == example)
      #expect(section.keys == keys, "\(type.heading)")
      told.formUnion(present)
    }
    #expect(told == Set(section.keys), "the examples of \(type.heading) have each key once at least")
  }

  @Test func `the document tells of nothing else`() throws {
    let sections = try Set(JSONDocument().sections.keys)
    #expect(sections == Set(DocumentedType.all.map(\.heading)))
  }

  @Test func `the words for errors are all told`() throws {
    let row = try #require(
      try JSONDocument().text.split(separator: "\n").first { $0.contains("| `kind` | what a program") })
    let words = row.matches(of: /`([a-zA-Z]+)`/).map { String($0.1) }.dropFirst()
    for word in words {
      let json = #"{"kind":"\#(word)","summary":""}"#
      #expect(throws: Never.self) { try JSONDecoder().decode(ErrorAnswer.self, from: Data(json.utf8)) }
    }
    #expect(words.count == 15)
  }

  @Test func `places are read and written as the document tells them`() throws {
    let text = try JSONDocument().text
    let start = try #require(text.range(of: "\"newest\"\n\"unread\""))
    let lines = text[start.lowerBound...].prefix { $0 != "`" }.split(separator: "\n")
    #expect(lines.count == 6)
    for line in lines {
      let place = try JSONDecoder().decode(PageStart.self, from: Data(line.utf8))
      #expect(String(decoding: try AnswerEncoder.bytes(of: place), as: UTF8.self) == line)
    }
  }
}

/// docs/json.md and the pages in docs/json, in sections.
private struct JSONDocument {
  let text: String
  var sections: [String: HistorySection] = [:]

  struct HistorySection {
    var keys: [String] = []
    var examples: [String] = []
  }

  init() throws {
    text = try GoldenFile.jsonPages()
    var heading: String?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#") {
        heading = line.firstMatch(of: /^### ((?:Question|Answer|Object) `[a-zA-Z]+`)$/).map { String($0.1) }
        if let heading { sections[heading] = HistorySection() }
      }
      guard let heading else { continue }
      if let key = line.firstMatch(of: /^\| `([a-zA-Z0-9]+)` \|/) {
        sections[heading]?.keys.append(String(key.1))
      }
      if line.hasPrefix("{") { sections[heading]?.examples.append(String(line)) }
    }
  }
}

/// A type that the document tells of.
struct DocumentedType: Sendable, CustomTestStringConvertible {
  let heading: String
  /// Reads an example: all keys of the type, those that the example has, and the example written again.
  let read: @Sendable (String) throws -> (keys: [String], present: [String], again: String)

  var testDescription: String { heading }

  static var all: [DocumentedType] {
    [
      object("message", MessageAnswer.self), object("edit", EditAnswer.self),
      object("reaction", ReactionAnswer.self), object("attachment", AttachmentAnswer.self),
      object("deletion", DeletionAnswer.self), object("forward", ForwardAnswer.self),
      object("source", SourceAnswer.self),
      object("hit", HitAnswer.self) { $0.found },
      object("match", MatchAnswer.self), object("snippet", SnippetAnswer.self),
      object("nothing", NothingAnswer.self), object("exchange", ExchangeAnswer.self),
      object("respelt", RespeltWord.self),
      object("conversation", ConversationAnswer.self), object("day", DayAnswer.self),
      object("shared", SharedThingAnswer.self), object("thread", ThreadAnswer.self),
      object("group", GroupAnswer.self),
      object("session", SessionAnswer.self), object("fileChange", FileChangeAnswer.self),
      object("failure", FailureAnswer.self), object("step", StepAnswer.self),
      object("usage", UsageGroupAnswer.self),
      object("pace", PaceAnswer.self), object("moment", MomentAnswer.self),
      object("silence", SilenceAnswer.self), object("busyDay", BusyDayAnswer.self),
      object("answering", AnsweringAnswer.self),
      object("anniversary", AnniversaryAnswer.self), object("sender", SenderAnswer.self),
      object("person", PersonAnswer.self), object("account", AccountAnswer.self),
      object("suggestion", PersonSuggestionAnswer.self), object("peopleChange", PeopleChangeAnswer.self),
      object("filter", FilterAnswer.self),
      object("import", ImportAnswer.self), object("restriction", HistoryFilter.self),
      object("salvage", SalvageAnswer.self), object("salvaged", SalvagedConversationAnswer.self),
      object("gap", GapAnswer.self), object("followed", FollowedAnswer.self),
      object("followEvent", FollowEventAnswer.self), object("assistants", AssistantsAnswer.self),
      object("assistant", AssistantAnswer.self),
      object("verification", VerificationAnswer.self),
      object("verifiedPlace", VerifiedPlaceAnswer.self), object("unreadShape", UnreadShapeAnswer.self),
      object("secret", SecretAnswer.self),
    ] + questions.map { word in of("Question `\(word)`", AnyHistoryQuestion.self) { $0.question } }
      + answers.map { word in of("Answer `\(word)`", AnyHistoryAnswer.self) { $0.answer } }
  }

  private static let questions = [
    "conversations", "conversation", "page", "message", "messages", "hits", "best", "shared", "senders",
    "days",
    "groups", "anniversaries", "statistics", "filters", "imports", "people", "threads", "sessions",
    "fileChanges", "failures", "usage",
  ]
  // Answers that are one object have its keys.
  private static let answers = [
    "conversations", "page", "messages", "hits", "best", "shared", "senders", "days", "groups",
    "anniversaries", "statistics", "selectionStatistics", "filters", "imports", "people", "threads",
    "sessions", "fileChanges", "failures", "usage", "error",
  ]

  private static func object<Value: Codable & Sendable>(
    _ word: String, _ type: Value.Type, part: @escaping @Sendable (Value) -> Any = { $0 }
  ) -> DocumentedType { of("Object `\(word)`", type, part: part) }

  private static func of<Value: Codable & Sendable>(
    _ heading: String, _ type: Value.Type, part: @escaping @Sendable (Value) -> Any
  ) -> DocumentedType {
    DocumentedType(heading: heading) { example in
      let value = try JSONDecoder().decode(Value.self, from: Data(example.utf8))
      let again = String(decoding: try AnswerEncoder.bytes(of: value), as: UTF8.self)
      let fields = fields(of: part(value))
      return (fields.map(\.key), fields.filter(\.isPresent).map(\.key), again)
    }
  }

  /// The stored properties of a value, which are its keys. Figures are told in parts.
  private static func fields(of value: Any) -> [(key: String, isPresent: Bool)] {
    Mirror(reflecting: value).children.flatMap { label, child -> [(key: String, isPresent: Bool)] in
      let mirror = Mirror(reflecting: child)
      let isOptional = mirror.displayStyle == .optional
      let content: Any? = isOptional ? mirror.children.first?.value : child
      switch content {
      case is StoreFigures, is MemoryFigures, is SizeFigures: return content.map { fields(of: $0) } ?? []
      default: return [(label ?? "", content != nil)]
      }
    }
  }
}
